import { column, type Expansions } from '../../http/expand.ts'
import { presentBase } from '../../http/schemas.ts'
import { commonExpansions } from '../access/expansions.ts'
import { ChannelV5 } from './schema.ts'
import type { ChannelRow } from './table.ts'

export const presentChannel = (row: ChannelRow) => ({
  ...presentBase('Channel', row),
  name: row.name,
  slug: row.slug,
})

export const presentChannelV5 = ({
  type,
  share_construct_url,
  preview_construct_url,
  streams,
  record,
  ...row
}: ChannelRow) => ({
  ...presentChannel(row as ChannelRow),
  type,
  share_construct_url,
  preview_construct_url,
  streams,
  record,
})

const { type, share_construct_url, preview_construct_url, streams, record } = ChannelV5.properties

/** The unversioned body is short; the rest is there on request. */
export const channelExpansions: Expansions<ChannelRow> = {
  ...commonExpansions,
  type: column('type', type),
  share_construct_url: column('share_construct_url', share_construct_url),
  preview_construct_url: column('preview_construct_url', preview_construct_url),
  streams: column('streams', streams),
  record: column('record', record),
}
