import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connect.ts'
import { NotFound } from '../../errors.ts'
import type { SourceRecord } from './table.ts'

export const findSource = async (db: Db | Tx, environmentId: string, id: string): Promise<SourceRecord> => {
  const { rows } = await sql<SourceRecord>`select * from source_records
    where environment_id = ${environmentId} and id = ${id}`.execute(db)
  if (!rows[0]) throw new NotFound('Source', id)
  return rows[0]
}
