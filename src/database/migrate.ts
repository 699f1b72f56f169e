import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Sql } from './connect.ts'

const folder = new URL('../../migrations/', import.meta.url)
const lock = 7_236_501

type Migration = { name: string; text: string; checksum: string }

export const migrations = (): Migration[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    })

/** Forward only. Each file is one transaction; nodes that start together wait for one another. */
export const migrate = async (sql: Sql, progress: (name: string) => void = () => {}): Promise<string[]> => {
  const connection = await sql.reserve()
  try {
    if ((await pending(connection)).length === 0) return []
    await connection`select pg_advisory_lock(${lock})`
    await connection`create table if not exists migrations (
      name text primary key, checksum text not null, applied_on timestamptz not null default now())`
    const applied: string[] = []
    for (const { name, text, checksum } of await pending(connection)) {
      progress(name)
      await connection.unsafe(
        `begin; ${text}; insert into migrations (name, checksum) values ('${name}', '${checksum}'); commit`,
      )
      applied.push(name)
    }
    return applied
  } catch (error) {
    await connection`rollback`.catch(() => {})
    throw error
  } finally {
    await connection`select pg_advisory_unlock_all()`.catch(() => {})
    connection.release()
  }
}

/** Migrations not yet applied; a file that was changed after it was applied is an error. */
export const pending = async (sql: Sql): Promise<Migration[]> => {
  const [table] = await sql<{ exists: boolean }[]>`select to_regclass('migrations') is not null as exists`
  const rows = table?.exists ? await sql<{ name: string; checksum: string }[]>`select * from migrations` : []
  const done = new Map(rows.map((row) => [row.name, row.checksum]))
  return migrations().filter(({ name, checksum }) => {
    const known = done.get(name)
    if (known && known !== checksum)
      throw new Error(
        `The migration ${name} was changed after this database had applied it. Restore the file.`,
      )
    return !known
  })
}
