import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { Expansion, Expansions } from '../../http/expand.ts'
import { Nullable } from '../../http/schemas.ts'
import { commonExpansions } from '../access/expansions.ts'
import { embeddedLists } from '../persons/schema-lists.ts'
import { presentTag } from '../tags/present.ts'
import type { TagRow } from '../tags/table.ts'
import { cdnFiles, storageFile, widthsOf } from './files.ts'
import type { AssetRow } from './table.ts'

const StorageFile = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  description: 'The file as it was uploaded',
  properties: {
    name: Nullable('string'),
    size: Type.Integer(),
    mime_type: Nullable('string', { description: 'Told by its bytes' }),
    checksum: Type.String({ examples: [`sha256:${'0'.repeat(64)}`] }),
    width: Nullable('integer'),
    height: Nullable('integer'),
    duration: Nullable('number', { description: 'Seconds' }),
  },
})
const CdnFiles = Type.Unsafe<object[]>({
  type: 'array',
  description: 'The original, what was made of it, and pictures in the widths of the environment',
  items: {
    type: 'object',
    properties: {
      label: Type.String({ examples: ['original'] }),
      name: Nullable('string'),
      mime_type: Nullable('string'),
      size: Nullable('integer'),
      width: Nullable('integer'),
      height: Nullable('integer'),
      bitrate: Nullable('integer'),
      url: Type.String({ description: 'Of a private asset: signed, and good for a while' }),
    },
  },
})
const Details = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  description: 'What the processing found out: pages, loudness, tags, colour, placeholder …',
})

const tags: Expansion<AssetRow> = {
  schema: embeddedLists.tags,
  inner: ['total', 'items'],
  load: async (db, { environment_id }, rows) => {
    const found = await sql<TagRow & { asset_id: string }>`select tags.*, asset_id
      from asset_tags link join tags on tags.environment_id = link.environment_id and tags.id = link.tag_id
      where link.environment_id = ${environment_id} and asset_id = any(${rows.map(({ id }) => id)}::text[])
      order by lower(tags.body), tags.id`.execute(db)
    const byAsset = Map.groupBy(found.rows, ({ asset_id }) => asset_id)
    return ({ id }) => {
      const items = byAsset.get(id) ?? []
      return { total: items.length, items: items.map(presentTag) }
    }
  },
}

export const assetExpansions = (context: Context): Expansions<AssetRow> => ({
  ...commonExpansions,
  tags,
  storage_file: {
    schema: StorageFile,
    inner: ['name', 'size', 'mime_type', 'checksum', 'width', 'height', 'duration'],
    load: async () => storageFile,
  },
  cdn_files: {
    schema: CdnFiles,
    inner: ['label', 'name', 'mime_type', 'size', 'width', 'height', 'bitrate', 'url'],
    load: async (_db, { environment }) => {
      const widths = widthsOf(environment)
      return (row) => cdnFiles(context, row, widths)
    },
  },
  details: {
    schema: Details,
    load:
      async () =>
      ({ details }) =>
        details,
  },
})
