import type { Generated, Selectable } from 'kysely'
import type { Json, RecordColumns } from '../../database/columns.ts'

export type Stream = { [K in 'name' | 'url' | 'url_ssl' | 'custom']?: string | null }

export type ChannelTable = RecordColumns & {
  name: string
  slug: string
  type: string | null
  share_construct_url: string | null
  preview_construct_url: string | null
  streams: Json<Stream[]>
  record: Generated<boolean>
}

export type ChannelRow = Selectable<ChannelTable>
