import { randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../../database/connect.ts'
import { deleteRecord, type Expected, insertWhole, lockRecord, updateRecord } from '../../database/records.ts'
import { conflict } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { presentStatus } from './present.ts'
import type { StatusBody, StatusChanges } from './schema.ts'
import type { StatusRow } from './table.ts'

/** In the order of the workflow; version 5 calls them draft, pending, approval, published and unpublished. */
export const builtInStatuses = ['To do', 'In progress', 'Review', 'Done', 'Archived'] as const

/** Made in one moment, so their ids alone keep the order; ids of the same millisecond are not in order. */
export const addBuiltInStatuses = async (tx: Tx, environmentId: string): Promise<void> => {
  const ids = builtInStatuses.map(() => randomUUIDv7()).sort()
  const rows = builtInStatuses.map((body, index) => ({
    environment_id: environmentId,
    id: ids[index]!,
    body,
    built_in: true,
  }))
  await tx.insertInto('statuses').values(rows).execute()
}

export const createStatus = async (tx: Tx, actor: Actor, body: StatusBody): Promise<StatusRow> => {
  const row = await insertWhole(tx, 'statuses', actor, { ...body, built_in: false })
  await emit(tx, actor, 'status.created', row, presentStatus(row))
  return row
}

export const changeStatus = async (
  tx: Tx,
  actor: Actor,
  id: string,
  { body }: StatusChanges,
  expected: Expected,
): Promise<StatusRow> => {
  const before = await lockRecord(tx, 'statuses', 'Status', actor, id, expected)
  if (body !== undefined && body !== before.body) refuseBuiltIn(before, 'renamed')
  const row = await updateRecord(tx, 'statuses', actor, before, { body })
  if (row !== before) await emit(tx, actor, 'status.changed', row, presentStatus(row))
  return row
}

export const deleteStatus = async (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<void> => {
  const row = await lockRecord(tx, 'statuses', 'Status', actor, id, expected)
  refuseBuiltIn(row, 'deleted')
  await deleteRecord(tx, 'statuses', actor, row)
  await emit(tx, actor, 'status.deleted', row, presentStatus(row))
}

const refuseBuiltIn = (row: StatusRow, verb: string): void => {
  if (row.built_in) throw conflict('body', `"${row.body}" is built in and cannot be ${verb}`)
}
