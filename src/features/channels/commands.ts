import type { Tx } from '../../database/connect.ts'
import { json } from '../../database/json.ts'
import { deleteRecord, type Expected, lockRecord, updateRecord } from '../../database/records.ts'
import { insertWithSlug } from '../../database/slugs.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { presentChannelV5 } from './present.ts'
import type { ChannelBody, ChannelChanges } from './schema.ts'
import type { ChannelRow } from './table.ts'

const columns = ({ streams, slug: _slug, ...rest }: ChannelBody | ChannelChanges) => ({
  ...rest,
  ...(streams !== undefined && { streams: json(streams ?? []) }),
})

export const createChannel = async (tx: Tx, actor: Actor, body: ChannelBody): Promise<ChannelRow> => {
  const row = await insertWithSlug(tx, 'channels', actor, columns(body), body.slug, body.name)
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
  const row = await updateRecord(tx, 'channels', actor, before, { ...columns(body), slug: body.slug })
  if (row !== before) await emit(tx, actor, 'channel.changed', row, presentChannelV5(row))
  return row
}

export const deleteChannel = async (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<void> => {
  const row = await lockRecord(tx, 'channels', 'Channel', actor, id, expected)
  await deleteRecord(tx, 'channels', actor, row)
  await emit(tx, actor, 'channel.deleted', row, presentChannelV5(row))
}
