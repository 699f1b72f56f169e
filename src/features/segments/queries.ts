import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connect.ts'
import { NotFound } from '../../errors.ts'
import type { SegmentRow } from './table.ts'

export const findSegment = async (db: Db | Tx, environmentId: string, id: string): Promise<SegmentRow> => {
  const { rows } = await sql<SegmentRow>`select * from counted_segments
    where environment_id = ${environmentId} and id = ${id}`.execute(db)
  if (!rows[0]) throw new NotFound('Segment', id)
  return rows[0]
}
