import { randomUUIDv7 } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import nodemailer from 'nodemailer'
import type { Db, Tx } from '../database/connect.ts'
import { composed, type Letter } from './letter.ts'

const composer = nodemailer.createTransport({ streamTransport: true, buffer: true })

/** Keeps letters in the database and, where a folder is given, also as files that any mail program opens. */
export const mailbox = (db: Db, folder: string | undefined, address: string) => {
  const fileOf = (id: string): string => join(folder!, `${id}.eml`)

  const writeLetter = async (id: string, letter: Letter): Promise<void> => {
    const { message } = await composer.sendMail(composed(letter, address))
    await mkdir(folder!, { recursive: true, mode: 0o700 })
    await writeFile(fileOf(id), message as Buffer, { mode: 0o600 })
  }
  return {
    async keep(letter: Letter): Promise<void> {
      const { organisation_id, environment_id, to: recipient, subject, text, html = null } = letter
      const id = randomUUIDv7()
      if (folder) await writeLetter(id, letter)
      try {
        await db
          .insertInto('mailbox')
          .values({ id, organisation_id, environment_id, recipient, subject, text, html })
          .execute()
      } catch (error) {
        if (folder) await rm(fileOf(id), { force: true })
        throw error
      }
    },
    /** Throws letters away: those for which the condition over `mailbox` holds. */
    async discard(tx: Db | Tx, which: RawBuilder<unknown>): Promise<number> {
      const { rows } = await sql<{ id: string }>`delete from mailbox where ${which} returning id`.execute(tx)
      if (folder) for (const { id } of rows) await rm(fileOf(id), { force: true })
      return rows.length
    },
  }
}
