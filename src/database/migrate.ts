import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Explained } from '../explained.ts'
import { inTransaction, type Session } from './session.ts'

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
export const migrate = async (
  session: Session,
  progress: (name: string) => void = () => {},
): Promise<string[]> => {
  if ((await pending(session)).length === 0) return []
  await session`select pg_advisory_lock(${lock})`
  try {
    await session.run(`create table if not exists migrations (
      name text primary key, checksum text not null, applied_on timestamptz not null default now())`)
    const missing = await pending(session)
    for (const { name, text, checksum } of missing) {
      progress(name)
      await inTransaction(session, 'begin', async () => {
        await session.run(text)
        await session`insert into migrations (name, checksum) values (${name}, ${checksum})`
      })
    }
    return missing.map(({ name }) => name)
  } finally {
    await session`select pg_advisory_unlock(${lock})`.catch(() => {})
  }
}

/** Migrations not yet applied; a file that was changed after it was applied is an error. */
export const pending = async (session: Session): Promise<Migration[]> => {
  const [table] = await session<{ there: boolean }[]>`select to_regclass('migrations') is not null as there`
  const rows = table!.there
    ? await session<{ name: string; checksum: string }[]>`select name, checksum from migrations`
    : []
  const done = new Map(rows.map((row) => [row.name, row.checksum]))
  const own = migrations()
  const newer = rows.filter(({ name }) => !own.some((migration) => migration.name === name))
  if (newer.length > 0)
    throw new Explained(
      `The database was migrated by a newer Marquee (${newer.map(({ name }) => name).join(', ')}). Update this one.`,
    )
  return own.filter(({ name, checksum }) => {
    const known = done.get(name)
    if (known && known !== checksum)
      throw new Explained(
        `The migration ${name} was changed after this database had applied it. Restore the file.`,
      )
    return !known
  })
}
