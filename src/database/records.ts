import { randomUUIDv7 } from 'node:crypto'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { NotFound, PreconditionFailed } from '../errors.ts'
import type { Db, Tx } from './connect.ts'
import { executeWithCommit } from './driver.ts'
import { json } from './json.ts'
import type { RecordTables } from './schema.ts'

type Table = keyof RecordTables
type Row<T extends Table> = Selectable<RecordTables[T]> & { id: string; version: number }
type Values = Record<string, unknown>

/** Who writes, and into which environment. */
export type Writer = { environment_id: string; user_id: string | null }

/** The version a writer saw, from `If-Match`; undefined when it does not care. */
export type Expected = number | undefined

export const findRecord = async <T extends Table>(
  db: Db | Tx,
  table: T,
  label: string,
  environmentId: string,
  id: string,
  lock = false,
): Promise<Row<T>> => {
  const { rows } = await sql<Row<T>>`select * from ${sql.table(table)}
    where environment_id = ${environmentId} and id = ${id}${sql.raw(lock ? ' for update' : '')}`.execute(db)
  if (!rows[0]) throw new NotFound(label, id)
  return rows[0]
}

/** Columns whose values are JSON; they are given as plain values. */
const jsonColumns: { [T in Table]?: readonly string[] } = {
  assets: ['details', 'derivatives', 'alt', 'caption'],
  channels: ['streams'],
  configurations: ['settings'],
  publication_models: ['fields'],
  segments: ['rules'],
  recommendations: ['filter', 'weights'],
}

/**
 * As `insertRecord`, for whoever gives every column of the table: the row is then known beforehand, and the
 * insert travels with the commit. That it is taken is heard at the commit, as a conflict.
 */
export const insertWhole = async <T extends Table>(
  tx: Tx,
  table: T,
  writer: Writer,
  values: Values,
): Promise<Row<T>> => {
  const row = {
    ...beginning(writer),
    updated_by: null,
    version: 1,
    created_on: new Date(),
    changed_on: null,
    ...values,
  }
  const isJson = (name: string) => jsonColumns[table]?.includes(name) ?? false
  const parameters = Object.entries(row).map(([name, value]) => (isJson(name) ? jsonText(value) : value))
  const marks = Object.keys(row).map((name, index) => `$${index + 1}${isJson(name) ? '::text::jsonb' : ''}`)
  await executeWithCommit(
    tx,
    `insert into ${table} (${Object.keys(row).map(quoted)}) values (${marks})`,
    parameters,
  )
  return row as unknown as Row<T>
}

const jsonText = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** Column names come from our own code; this makes sure of it. */
const quoted = (name: string): string => {
  if (!/^[a-z_]+$/.test(name)) throw new Error(`${name} is not the name of a column`)
  return `"${name}"`
}

export const insertRecord = async <T extends Table>(
  tx: Tx,
  table: T,
  writer: Writer,
  values: Values,
): Promise<Row<T>> => (await tryInsert(tx, table, writer, values, sql``))!

/** As `insertRecord`, but gives undefined where `constraint`, or any without one, says that it is taken. */
export const insertUnlessTaken = <T extends Table>(
  tx: Tx,
  table: T,
  writer: Writer,
  values: Values,
  constraint?: string,
): Promise<Row<T> | undefined> => {
  const target = constraint === undefined ? sql`` : sql`on constraint ${sql.ref(constraint)}`
  return tryInsert(tx, table, writer, values, sql`on conflict ${target} do nothing`)
}

const tryInsert = async <T extends Table>(
  tx: Tx,
  table: T,
  writer: Writer,
  values: Values,
  onConflict: RawBuilder<unknown>,
): Promise<Row<T> | undefined> => {
  const all = { ...beginning(writer), ...values }
  const { rows } = await sql<Row<T>>`${insertInto(table, all)} ${onConflict} returning *`.execute(tx)
  return rows[0]
}

const beginning = (writer: Writer): Values => ({
  environment_id: writer.environment_id,
  id: randomUUIDv7(),
  created_by: writer.user_id,
})

const insertInto = (table: Table, row: Values): RawBuilder<unknown> => {
  const values = Object.entries(row).map(([name, value]) =>
    jsonColumns[table]?.includes(name) ? json(value) : value,
  )
  return sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
    values (${sql.join(values)})`
}

/** Locks the record, so that what is worked out from it stays true until the commit. */
export const lockRecord = async <T extends Table>(
  tx: Tx,
  table: T,
  label: string,
  writer: Writer,
  id: string,
  expected: Expected,
): Promise<Row<T>> => {
  const row = await findRecord(tx, table, label, writer.environment_id, id, true)
  checkVersion(label, row, expected)
  return row
}

export const checkVersion = (
  label: string,
  { id, version }: { id: string; version: number },
  expected: Expected,
): void => {
  if (expected !== undefined && expected !== version)
    throw new PreconditionFailed(`${label} ${id} has version ${version}`)
}

export const updateRecord = <T extends Table>(
  tx: Tx,
  table: T,
  writer: Writer,
  row: Row<T>,
  values: Values,
): Promise<Row<T>> => {
  const one = sql`environment_id = ${writer.environment_id} and id = ${row.id}`
  return updateChanged(tx, table, row, one, values, sql`updated_by = ${writer.user_id}, `)
}

/** Changes only what is given; a change of nothing leaves version and `changed_on` alone. */
export const updateChanged = async <R>(
  tx: Tx,
  table: string,
  row: R,
  one: RawBuilder<unknown>,
  values: Values,
  also = sql``,
): Promise<R> => {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  if (given.length === 0) return row
  const set = given.map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  // PostgreSQL compares, because only it knows when two jsonb values or two moments are the same.
  const differs = given.map(([name, value]) => sql`${sql.ref(name)} is distinct from ${value}`)
  const { rows } = await sql<R>`update ${sql.table(table)}
    set ${sql.join(set)}, ${also}version = version + 1, changed_on = now()
    where ${one} and (${sql.join(differs, sql` or `)}) returning *`.execute(tx)
  return rows[0] ?? row
}

export const deleteRecord = async <T extends Table>(
  tx: Tx,
  table: T,
  writer: Writer,
  row: Row<T>,
): Promise<void> => {
  await sql`delete from ${sql.table(table)}
    where environment_id = ${writer.environment_id} and id = ${row.id}`.execute(tx)
}
