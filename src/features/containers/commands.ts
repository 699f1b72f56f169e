import type { Tx } from '../../database/connect.ts'
import { deleteRecord, type Expected, lockRecord, updateRecord } from '../../database/records.ts'
import { insertWithSlug } from '../../database/slugs.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { describeContainer } from './present.ts'
import type { ContainerBody, ContainerChanges } from './schema.ts'
import type { ContainerRow } from './table.ts'

export const createContainer = async (
  tx: Tx,
  actor: Actor,
  { slug, ...values }: ContainerBody,
): Promise<ContainerRow> => {
  const row = await insertWithSlug(tx, 'containers', actor, values, slug, values.body)
  await emit(tx, actor, 'container.created', row, describeContainer(row))
  return row
}

export const changeContainer = async (
  tx: Tx,
  actor: Actor,
  id: string,
  body: ContainerChanges,
  expected: Expected,
): Promise<ContainerRow> => {
  const before = await lockRecord(tx, 'containers', 'Container', actor, id, expected)
  const row = await updateRecord(tx, 'containers', actor, before, body)
  if (row !== before) await emit(tx, actor, 'container.changed', row, describeContainer(row))
  return row
}

export const deleteContainer = async (
  tx: Tx,
  actor: Actor,
  id: string,
  expected: Expected,
): Promise<void> => {
  const row = await lockRecord(tx, 'containers', 'Container', actor, id, expected)
  await deleteRecord(tx, 'containers', actor, row)
  await emit(tx, actor, 'container.deleted', row, describeContainer(row))
}
