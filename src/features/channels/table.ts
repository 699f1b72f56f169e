import type { Selectable } from 'kysely'
import type { Json, RecordColumns } from '../../database/columns.ts'

export type Stream = { name?: string; url?: string; url_ssl?: string; custom?: string }

export type ChannelTable = RecordColumns & {
  name: string
  slug: string
  type: string | null
  share_construct_url: string | null
  preview_construct_url: string | null
  streams: Json<Stream[]>
}

export type ChannelRow = Selectable<ChannelTable>
