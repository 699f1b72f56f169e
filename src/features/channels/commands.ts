import type { Tx } from '../../database/connect.ts'
import { json } from '../../database/json.ts'
import { deleteRecord, type Expected, lockRecord, updateRecord } from '../../database/records.ts'
import { insertWithSlug } from '../../database/slugs.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { presentChannelV5 } from './present.ts'
import type { ChannelBody, ChannelChanges } from './schema.ts'
import type { ChannelRow } from './table.ts'

const empty = { type: null, share_construct_url: null, preview_construct_url: null, record: false }

const changes = ({ streams, ...rest }: ChannelChanges) => ({
  ...rest,
  ...(streams !== undefined && { streams: json(streams ?? []) }),
})

export const createChannel = async (tx: Tx, actor: Actor, body: ChannelBody): Promise<ChannelRow> => {
  const { slug, ...sent } = body
  const values = { ...empty, ...sent, streams: body.streams ?? [] }
  const row = await insertWithSlug(tx, 'channels', actor, values, slug, body.name)
  await emit(tx, actor, 'channel.created', row, presentChannelV5(row))
  return row
}

export const changeChannel = async (
  tx: Tx,
  actor: Actor,
  id: string,
  body: ChannelChanges,
  expected: Expected,
): Promise<ChannelRow> => {
  const before = await lockRecord(tx, 'channels', 'Channel', actor, id, expected)
  const row = await updateRecord(tx, 'channels', actor, before, changes(body))
  if (row !== before) await emit(tx, actor, 'channel.changed', row, presentChannelV5(row))
  return row
}

export const deleteChannel = async (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<void> => {
  const row = await lockRecord(tx, 'channels', 'Channel', actor, id, expected)
  await deleteRecord(tx, 'channels', actor, row)
  await emit(tx, actor, 'channel.deleted', row, presentChannelV5(row))
}
