import { type Static, Type } from 'typebox'
import { Body, base, Changes, File, Nullable, NullableText } from '../../http/schemas.ts'
import { Choice } from '../access/schemas.ts'
import { assetLabels, assetStatuses } from './table.ts'
import type { TagInput } from './tags.ts'
import { maxAsset } from './types.ts'

const Texts = (description: string) =>
  Type.Unsafe<Record<string, string | null> | null>({
    type: ['object', 'null'],
    propertyNames: { pattern: '^[a-z]{2}-[A-Z]{2}$' },
    additionalProperties: { type: ['string', 'null'], maxLength: 5000 },
    description,
    examples: [{ 'en-US': 'The harbour at dawn' }],
  })
const ShownTexts = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Locale → text',
})

const side = { type: 'number', minimum: 0, maximum: 1 }
const FocalPoint = Type.Unsafe<{ x: number; y: number } | null>({
  type: ['object', 'null'],
  properties: { x: side, y: side },
  required: ['x', 'y'],
  additionalProperties: false,
  description: 'What must stay in sight when a picture is cut: parts of its width and height',
  examples: [{ x: 0.5, y: 0.3 }],
})

const ignored = { description: 'Ignored', readOnly: true }
const tag = {
  type: ['string', 'object'],
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  properties: {
    id: { type: 'string', maxLength: 200 },
    body: { type: 'string', minLength: 1, maxLength: 200, pattern: '\\S' },
    slug: ignored,
    created_on: ignored,
    changed_on: ignored,
    label: ignored,
  },
  additionalProperties: false,
}
const Tags = Type.Unsafe<TagInput[] | { items: TagInput[] } | null>({
  type: ['array', 'object', 'null'],
  items: tag,
  maxItems: 100,
  properties: { total: ignored, items: { type: 'array', items: tag, maxItems: 100 } },
  required: ['items'],
  additionalProperties: false,
  description: 'By id, or by body, which is made where there is none',
  examples: [['Harbour']],
})

/** A name for people; never a path. */
const OriginalName = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^/\\\\\\x00-\\x1f\\x7f]*[^/\\\\\\x00-\\x1f\\x7f.][^/\\\\\\x00-\\x1f\\x7f]*$',
  examples: ['harbour.jpg'],
})

const words = {
  name: NullableText(200, { examples: ['Harbour'] }),
  body: NullableText(20_000, { examples: ['The harbour, seen from the north pier'] }),
  author: NullableText(200),
  reference_id: NullableText(200, { description: 'Your own' }),
  copyright: NullableText(500),
  folder: NullableText(500, { description: 'Names separated by slashes', examples: ['News/2026'] }),
  private: Type.Boolean({ description: 'Its files are then read by signed addresses that expire, only' }),
  alt: Texts('What is seen or heard, for who cannot; by locale'),
  caption: Texts('By locale'),
  focal_point: FocalPoint,
  tags: Tags,
}

/** What a read shows and a write does not take. */
const readOnly = [
  'status',
  'progress',
  'failure',
  'start_offset',
  'end_offset',
  'cdn_files',
  'storage_file',
  'details',
]

const source = File(`At most ${maxAsset} bytes. What it is, its bytes tell`)
const chunk = File('The next bytes of a video')
const start_offset = Type.Integer({
  minimum: 0,
  maximum: maxAsset,
  description: 'Where the chunk begins. A repeat is then harmless, and a chunk at a wrong place refused',
})

const optional = Changes(words).properties

export const AssetBody = Body(
  {
    ...optional,
    label: Choice(assetLabels, { examples: ['Photo'] }),
    source: Type.Optional(source),
    original_name: Type.Optional(OriginalName),
    upload_phase: Type.Optional(
      Choice(['start', 'finish'], { description: 'Of a Video in chunks; `finish`: this chunk is all of it' }),
    ),
    file_size: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Bytes of the whole video' }),
    ),
    video_file_chunk: Type.Optional(chunk),
    file_chunk: Type.Optional(chunk),
    start_offset: Type.Optional(start_offset),
  },
  readOnly,
  { examples: [{ label: 'Video', upload_phase: 'start', file_size: 300_000_000, name: 'Harbour' }] },
)
export type AssetBody = Static<typeof AssetBody>

export const AssetChanges = Body(
  { ...optional, source: Type.Optional(source), original_name: Type.Optional(OriginalName) },
  readOnly,
)
export type AssetChanges = Static<typeof AssetChanges>

export const MultipartBody = Type.Object(
  {
    upload_phase: Choice(['transfer', 'finish']),
    original_name: Type.Optional(OriginalName),
    video_file_chunk: Type.Optional(chunk),
    file_chunk: Type.Optional(chunk),
    start_offset: Type.Optional(start_offset),
  },
  { additionalProperties: false, examples: [{ upload_phase: 'finish' }] },
)
export type MultipartBody = Static<typeof MultipartBody>

const { label: _, ...stamps } = base('Asset')
export const Asset = Type.Object(
  {
    ...stamps,
    label: Choice(assetLabels),
    name: Nullable('string'),
    body: Nullable('string'),
    author: Nullable('string'),
    reference_id: Nullable('string'),
    status: Choice(assetStatuses, {
      description: '`processing` until all is made of it; `failed` where that could not be done',
    }),
    progress: Nullable('number', { description: 'How much of the processing is done, from 0 to 1' }),
    failure: Nullable('string', { description: 'Why it failed' }),
    original_name: Nullable('string'),
    copyright: Nullable('string'),
    folder: Nullable('string'),
    private: Type.Boolean(),
    alt: ShownTexts,
    caption: ShownTexts,
    focal_point: FocalPoint,
    start_offset: Type.Optional(
      Type.Integer({ description: 'Of an upload in chunks: the next byte that is expected' }),
    ),
    end_offset: Type.Optional(Type.Integer({ description: 'Where the next chunk may end' })),
  },
  { title: 'Asset' },
)

export const DeletedAsset = Type.Object(
  { ...Asset.properties, deleted_on: Type.String({ format: 'date-time' }) },
  { title: 'DeletedAsset' },
)
