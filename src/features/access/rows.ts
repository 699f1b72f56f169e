import { type Selectable, sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import { updateChanged } from '../../database/records.ts'
import type { Database } from '../../database/schema.ts'

type Table = 'environments' | 'users' | 'tokens' | 'invitations'

/** As `updateRecord`, for what stands above the environments; the caller holds the row's lock. */
export const updateRow = <T extends Table>(
  tx: Tx,
  table: T,
  row: Selectable<Database[T]>,
  values: Record<string, unknown>,
): Promise<Selectable<Database[T]>> =>
  updateChanged(tx, table, row, sql`id = ${(row as { id: string }).id}`, values)

/** One writer at a time decides who belongs to an organisation; readers and other writes are not held up. */
export const lockOrganisation = async (tx: Tx, id: string): Promise<void> => {
  await sql`select id from organisations where id = ${id} for no key update`.execute(tx)
}
