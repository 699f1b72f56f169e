import { join } from 'node:path'
import nodemailer from 'nodemailer'
import type { Config } from '../config.ts'
import type { Db } from '../database/connect.ts'
import { composed, type Letter } from './letter.ts'
import { mailbox } from './mailbox.ts'

/**
 * Sends through SMTP_URL. Without one, letters are kept in the mailbox, where the Studio shows them, and in the data
 * folder, if the database is there too: nodes that share a database share no folder. What went out by SMTP is not
 * kept.
 */
export const mailer = (config: Config, db: Db) => {
  const transport = config.smtpUrl ? nodemailer.createTransport(config.smtpUrl) : undefined
  const address = `no-reply@${new URL(config.publicUrl).hostname}`
  const folder = config.databaseUrl ? undefined : join(config.data, 'mailbox')
  const { keep, discard } = mailbox(db, folder, address)
  return {
    async send(letter: Letter): Promise<void> {
      if (!transport) return keep(letter)
      await transport.sendMail(composed(letter, address)).catch(refuse)
    },
    discard,
    close: () => transport?.close(),
  }
}
export type Mail = ReturnType<typeof mailer>

/** What a mail server says quotes addresses, and what a job says of its failure is stored. */
const refuse = ({ code, responseCode }: { code?: string; responseCode?: number }): never => {
  const told = [code, responseCode].filter((part) => part !== undefined).join(' ')
  throw Object.assign(new Error(`the mail server did not take a letter (${told})`), { code })
}
