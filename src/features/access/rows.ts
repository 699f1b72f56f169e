import { type Selectable, sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import type { Expected } from '../../database/records.ts'
import type { Database } from '../../database/schema.ts'
import { PreconditionFailed } from '../../errors.ts'

type Table = 'environments' | 'users' | 'tokens' | 'invitations'
type Row<T extends Table> = Selectable<Database[T]>

export const checkVersion = (
  label: string,
  row: { id: string; version: number },
  expected: Expected,
): void => {
  if (expected !== undefined && expected !== row.version)
    throw new PreconditionFailed(`${label} ${row.id} has version ${row.version}`)
}

/** As `updateRecord`, for what stands above the environments; the caller holds the row's lock. */
export const updateRow = async <T extends Table>(
  tx: Tx,
  table: T,
  row: Row<T>,
  values: Record<string, unknown>,
): Promise<Row<T>> => {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  if (given.length === 0) return row
  const set = given.map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  const differs = given.map(([name, value]) => sql`${sql.ref(name)} is distinct from ${value}`)
  const { rows } = await sql<Row<T>>`update ${sql.table(table)}
    set ${sql.join(set)}, version = version + 1, changed_on = now()
    where id = ${(row as { id: string }).id} and (${sql.join(differs, sql` or `)}) returning *`.execute(tx)
  return rows[0] ?? row
}

/** One writer at a time decides who belongs to an organisation; readers and other writes are not held up. */
export const lockOrganisation = async (tx: Tx, id: string): Promise<void> => {
  await sql`select id from organisations where id = ${id} for no key update`.execute(tx)
}
