import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/connect.ts'
import { NotFound } from '../../../errors.ts'
import type { SourceItemRecord } from '../table.ts'

export const findItem = async (db: Db | Tx, environmentId: string, id: string): Promise<SourceItemRecord> => {
  const { rows } = await sql<SourceItemRecord>`select * from source_item_records
    where environment_id = ${environmentId} and id = ${id}`.execute(db)
  if (!rows[0]) throw new NotFound('SourceItem', id)
  return rows[0]
}
