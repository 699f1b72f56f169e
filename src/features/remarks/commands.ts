import type { Tx } from '../../database/connect.ts'
import { deleteRecord, insertWhole, updateRecord } from '../../database/records.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { remarkSnapshot } from './present.ts'
import { findRemark } from './queries.ts'
import type { RemarkRow, Subject } from './table.ts'

export const createRemark = async (
  tx: Tx,
  actor: Actor,
  about: Subject,
  body: string,
): Promise<RemarkRow> => {
  const row = await insertWhole(tx, 'remarks', actor, {
    publication_id: null,
    person_key: null,
    ...about,
    body,
  })
  await emit(tx, actor, 'remark.created', row, remarkSnapshot(row))
  return row
}

export const changeRemark = async (
  tx: Tx,
  actor: Actor,
  about: Subject,
  id: string,
  body: string,
): Promise<RemarkRow> => {
  const before = await findRemark(tx, actor, about, id, true)
  const row = await updateRecord(tx, 'remarks', actor, before, { body })
  if (row !== before) await emit(tx, actor, 'remark.changed', row, remarkSnapshot(row))
  return row
}

export const deleteRemark = async (tx: Tx, actor: Actor, about: Subject, id: string): Promise<void> => {
  const row = await findRemark(tx, actor, about, id, true)
  await deleteRecord(tx, 'remarks', actor, row)
  await emit(tx, actor, 'remark.deleted', row, remarkSnapshot(row))
}
