import { type Static, Type } from 'typebox'
import { Body, DateTime, Nullable } from '../../../http/schemas.ts'
import { sourceLabels } from '../labels.ts'

const Link = (description: string) =>
  Type.Unsafe<{ id: string } | null>({
    type: ['object', 'null'],
    properties: { id: { type: 'string' } },
    required: ['id'],
    description,
    examples: [null],
  })

export const SourceItem = Type.Object(
  {
    id: Type.String(),
    created_on: DateTime({ description: 'When it was first seen; seven days later it is deleted' }),
    label: Type.Literal('SourceItem'),
    source: Type.Object({
      id: Type.String(),
      label: Type.Unsafe<string>({ type: 'string', enum: sourceLabels }),
      name: Type.String(),
      shortname: Nullable('string'),
    }),
    title: Nullable('string', { examples: ['The sea lock opens'] }),
    body: Nullable('string', { description: 'Basic rich text, safe to be shown' }),
    url: Nullable('string'),
    author: Nullable('string'),
    image_url: Nullable('string'),
    published_on: DateTime({ description: 'When it was first seen, where the source does not tell' }),
    reference_id: Nullable('string', { description: 'What the source calls it' }),
    publication: Link('The publication that was made of it'),
    asset: Link('Its picture, once there is a publication'),
  },
  { title: 'SourceItem' },
)

const model = Type.Object({ id: Type.String({ maxLength: 200 }) })
export const DraftBody = Body({
  model: Type.Optional(
    Type.Unsafe<Static<typeof model>>({
      ...model,
      description: 'Without one the first model that has a title',
    }),
  ),
  locale: Type.Optional(
    Type.String({ maxLength: 20, description: "The environment's own unless told", examples: ['en-US'] }),
  ),
})
export type DraftBody = Static<typeof DraftBody>
