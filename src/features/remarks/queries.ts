import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connect.ts'
import { NotFound } from '../../errors.ts'
import type { Actor } from '../access/authenticate.ts'
import type { RemarkRow, Subject } from './table.ts'

/** A note under what it is about; under anything else it is not there. */
export const findRemark = async (
  db: Db | Tx,
  actor: Actor,
  about: Subject,
  id: string,
  lock = false,
): Promise<RemarkRow> => {
  const [[column, value]] = Object.entries(about) as [[string, string]]
  const { rows } = await sql<RemarkRow>`select * from remarks where environment_id = ${actor.environment_id}
    and id = ${id} and ${sql.ref(column)} = ${value}${sql.raw(lock ? ' for update' : '')}`.execute(db)
  if (!rows[0]) throw new NotFound('Remark', id)
  return rows[0]
}
