import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'

export type Place = { table: string; rows: string[] }

/**
 * Where the newest interactions of persons stand, locked: by partition and place in it. To come back by the key instead
 * took 15 s for 10,000 where a partition had filled faster than PostgreSQL took notice.
 */
export const placesOf = async (
  tx: Tx,
  environmentId: string,
  persons: string[],
  most: number,
): Promise<Place[]> => {
  const { rows } = await sql<{ table: string; row: string }>`
    select tableoid::regclass::text as table, ctid::text as row from interactions
    where environment_id = ${environmentId} and person_key = any(${persons}::bigint[])
    order by created_on desc limit ${most} for update`.execute(tx)
  const byTable = Map.groupBy(rows, ({ table }) => table)
  return [...byTable].map(([table, own]) => ({ table, rows: own.map(({ row }) => row) }))
}
