import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from } from 'pg-copy-streams'
import { migrations } from '../database/migrate.ts'
import { inTransaction, type Session } from '../database/session.ts'
import { readArchive } from './archive.ts'
import { columnList, quoted, readPartitions, readTables } from './catalogue.ts'
import { dropEverything, takeForeignKeys } from './clear.ts'
import type { Manifest } from './manifest.ts'
import { Damaged } from './problems.ts'
import { markRestored, type Staged } from './staging.ts'

/** Migrations of the backup that this program does not have in the same form. */
export const unknownMigrations = (manifest: Manifest): string[] => {
  const known = new Map(migrations().map(({ name, checksum }) => [name, checksum]))
  return manifest.migrations
    .filter(({ name, checksum }) => known.get(name) !== checksum)
    .map(({ name }) => name)
}

/**
 * Everything in one transaction: the old tables go, those of the backup come at their own migration level, are
 * filled and checked, and are then brought up to date. A failure or a kill before the commit changes nothing.
 */
export const restoreDatabase = async (
  tx: Session,
  file: string,
  manifest: Manifest,
  staged: Staged,
  onBytes: (count: number) => void,
): Promise<{ applied: string[] }> =>
  inTransaction(tx, 'begin', async () => {
    await tx.run(
      "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '10s'",
    )
    await dropEverything(tx)
    await makeTables(tx, manifest)
    const foreignKeys = await takeForeignKeys(tx)
    await fill(tx, file, manifest, onBytes)
    for (const { name, value, called } of manifest.sequences)
      await tx`select setval(to_regclass(${quoted(name)}), ${value}::bigint, ${called})`
    // Adding them again looks every reference up.
    await foreignKeys.putBack()
    await checkRows(tx, manifest)
    const applied = await migrateForward(tx, manifest)
    await markRestored(tx, staged)
    return { applied }
  })

const makeTables = async (tx: Session, manifest: Manifest): Promise<void> => {
  await tx.run(`create table migrations (
    name text primary key, checksum text not null, applied_on timestamptz not null default now())`)
  const wanted = new Set(manifest.migrations.map(({ name }) => name))
  for (const { name, text } of migrations()) if (wanted.has(name)) await tx.run(text)
  await addPartitions(tx, manifest)
  const tables = await readTables(tx)
  for (const { name } of tables) await tx.run(`truncate ${quoted(name)} cascade`)
  const shape = (list: { name: string; columns: string[] }[]) =>
    JSON.stringify(list.map(({ name, columns }) => [name, columns]))
  if (shape(tables) !== shape(manifest.tables)) throw new Damaged('has other tables than its migrations make')
}

const addPartitions = async (tx: Session, manifest: Manifest): Promise<void> => {
  const there = new Map((await readPartitions(tx)).map(({ name, bounds }) => [name, bounds]))
  for (const { name, of, bounds } of manifest.partitions)
    if (there.get(name) !== bounds)
      await tx.run(`create table ${quoted(name)} partition of ${quoted(of)} ${bounds}`)
}

/** The parts of a table stand behind one another and go into one COPY. */
const fill = async (
  tx: Session,
  file: string,
  manifest: Manifest,
  onBytes: (count: number) => void,
): Promise<void> => {
  const columns = new Map(manifest.tables.map((table) => [table.name, table.columns]))
  let open: { table: string; input: PassThrough; done: Promise<void> } | undefined
  const finish = async () => {
    open?.input.end()
    await open?.done
    open = undefined
  }
  const begin = async (table: string) => {
    await finish()
    const list = columns.get(table)
    if (!list) throw new Damaged('has changed since it was checked')
    const copy = tx.client.query(from(`copy ${quoted(table)} (${columnList(list)}) from stdin`))
    const input = new PassThrough()
    const done = pipeline(input, copy)
    done.catch(() => {})
    open = { table, input, done }
  }
  try {
    await readArchive(
      file,
      async (name, content) => {
        const [kind, table = ''] = name.split('/')
        if (kind !== 'tables') return finish()
        if (open?.table !== table) await begin(table)
        for await (const chunk of content) await write(open!, chunk)
      },
      onBytes,
    )
    await finish()
  } catch (error) {
    open?.input.destroy(error as Error)
    await open?.done.catch(() => {})
    throw error
  }
}

const write = async (
  { input, done }: { input: PassThrough; done: Promise<void> },
  chunk: Buffer,
): Promise<void> => {
  if (input.write(chunk)) return
  await Promise.race([new Promise((resolve) => input.once('drain', resolve)), done])
}

const checkRows = async (tx: Session, manifest: Manifest): Promise<void> => {
  for (const { name, rows } of manifest.tables) {
    const [found] = await tx.run<{ rows: number }[]>(`select count(*)::float8 as rows from ${quoted(name)}`)
    if (found!.rows !== rows) throw new Damaged(`gave ${found!.rows} rows of ${rows} for the table ${name}`)
  }
}

const migrateForward = async (tx: Session, manifest: Manifest): Promise<string[]> => {
  const done = new Set(manifest.migrations.map(({ name }) => name))
  const missing = migrations().filter(({ name }) => !done.has(name))
  for (const { name, text, checksum } of missing) {
    await tx.run(text)
    await tx`insert into migrations (name, checksum) values (${name}, ${checksum})`
  }
  return missing.map(({ name }) => name)
}
