import type { Tx } from '../../database/connect.ts'
import { json } from '../../database/json.ts'
import { deleteRecord, type Expected, insertWhole, lockRecord, updateRecord } from '../../database/records.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { presentConfiguration } from './present.ts'
import type { ConfigurationBody, ConfigurationChanges } from './schema.ts'
import { mergeSettings } from './settings.ts'
import type { ConfigurationRow } from './table.ts'

export const createConfiguration = async (
  tx: Tx,
  actor: Actor,
  { body, settings = null }: ConfigurationBody,
): Promise<ConfigurationRow> => {
  const values = { body, settings: mergeSettings(null, settings) }
  const row = await insertWhole(tx, 'configurations', actor, values)
  await emit(tx, actor, 'configuration.created', row, presentConfiguration(row))
  return row
}

export const changeConfiguration = async (
  tx: Tx,
  actor: Actor,
  id: string,
  { body, settings }: ConfigurationChanges,
  expected: Expected,
): Promise<ConfigurationRow> => {
  const before = await lockRecord(tx, 'configurations', 'Configuration', actor, id, expected)
  const values = {
    body,
    settings: settings === undefined ? undefined : json(mergeSettings(before.settings, settings)),
  }
  const row = await updateRecord(tx, 'configurations', actor, before, values)
  if (row !== before) await emit(tx, actor, 'configuration.changed', row, presentConfiguration(row))
  return row
}

export const deleteConfiguration = async (
  tx: Tx,
  actor: Actor,
  id: string,
  expected: Expected,
): Promise<void> => {
  const row = await lockRecord(tx, 'configurations', 'Configuration', actor, id, expected)
  await deleteRecord(tx, 'configurations', actor, row)
  await emit(tx, actor, 'configuration.deleted', row, presentConfiguration(row))
}
