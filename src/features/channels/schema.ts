import { type Static, Type } from 'typebox'
import { Body, base, Changes, NewSlug, Nullable, NullableText, Slug, Text } from '../../http/schemas.ts'

const Stream = Type.Object(
  {
    name: Type.Optional(NullableText(200)),
    url: Type.Optional(NullableText(2000, { examples: ['http://stream.example.org/radio.mp3'] })),
    url_ssl: Type.Optional(NullableText(2000, { examples: ['https://stream.example.org/radio.mp3'] })),
    custom: Type.Optional(NullableText(2000)),
  },
  { additionalProperties: false },
)

const fields = {
  name: Text(200, { examples: ['Website'] }),
  slug: Slug('website'),
  type: NullableText(64, { examples: ['website'] }),
  share_construct_url: NullableText(2000, {
    description: 'Address of a publication on this channel; {slug} and {id} are filled in',
  }),
  preview_construct_url: NullableText(2000, {
    description: 'The same for publications that are not published yet',
  }),
  streams: Type.Unsafe<Static<typeof Stream>[] | null>({
    type: ['array', 'null'],
    items: Stream,
    maxItems: 50,
  }),
  record: Type.Boolean({
    description: 'Whether what its first stream sends is recorded, for the audio tool',
  }),
}

const { name, slug } = fields
const optional = Changes(fields).properties
export const ChannelBody = Body({ ...optional, name, slug: NewSlug('website') })
export const ChannelChanges = Body(optional)
/** Version 5 wants name and type on every write. */
const type = Text(64, { examples: ['website'] })
export const ChannelBodyV5 = Body({ ...ChannelBody.properties, name, type })
/** A channel of the unversioned generation may have no type; what was read can be sent back. */
export const ChannelChangesV5 = Body({ ...optional, name, type: fields.type })
export type ChannelBody = Static<typeof ChannelBody>
export type ChannelChanges = Static<typeof ChannelChanges>

export const Channel = Type.Object({ ...base('Channel'), name, slug }, { title: 'Channel' })
export const ChannelV5 = Type.Object(
  {
    ...base('Channel'),
    name,
    type: Nullable('string'),
    share_construct_url: Nullable('string'),
    preview_construct_url: Nullable('string'),
    streams: Type.Array(Stream),
    record: fields.record,
    slug,
  },
  { title: 'Channel' },
)
