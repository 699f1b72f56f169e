import type { Tx } from '../../database/connect.ts'
import { json } from '../../database/json.ts'
import { deleteRecord, type Expected, insertWhole, lockRecord, updateRecord } from '../../database/records.ts'
import { conflict } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { describeModel } from './present.ts'
import { takeFields } from './rules.ts'
import type { ModelBody, ModelChanges } from './schema.ts'
import type { ModelRow } from './table.ts'

export const createModel = async (
  tx: Tx,
  actor: Actor,
  { body, description = null, stories = true, channels = true, fields }: ModelBody,
): Promise<ModelRow> => {
  const values = { body, description, stories, channels, fields: await takeFields(tx, actor, fields ?? []) }
  const row = await insertWhole(tx, 'publication_models', actor, values)
  await emit(tx, actor, 'publication_model.created', row, describeModel(row))
  return row
}

export const changeModel = async (
  tx: Tx,
  actor: Actor,
  id: string,
  { fields, ...rest }: ModelChanges,
  expected: Expected,
): Promise<ModelRow> => {
  const before = await lockRecord(tx, 'publication_models', 'PublicationModel', actor, id, expected)
  const values = {
    ...rest,
    fields: fields === undefined ? undefined : json(await takeFields(tx, actor, fields ?? [], id)),
  }
  const row = await updateRecord(tx, 'publication_models', actor, before, values)
  if (row !== before) await emit(tx, actor, 'publication_model.changed', row, describeModel(row))
  return row
}

export const deleteModel = async (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<void> => {
  const row = await lockRecord(tx, 'publication_models', 'PublicationModel', actor, id, expected)
  await refuseInUse(tx, row)
  await deleteRecord(tx, 'publication_models', actor, row)
  await emit(tx, actor, 'publication_model.deleted', row, describeModel(row))
}

/** The lock on the model keeps new publications of it waiting, so what is seen here stays true. */
const refuseInUse = async (tx: Tx, { environment_id, id }: ModelRow): Promise<void> => {
  const used = await tx
    .selectFrom('publications')
    .select('id')
    .where('environment_id', '=', environment_id)
    .where('model_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (used) throw conflict('id', 'is the model of publications; delete them or give them another one first')
}
