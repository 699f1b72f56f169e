import { type Static, type TProperties, Type } from 'typebox'
import { Body, base, Changes, Nullable, NullableText, Text } from '../../http/schemas.ts'
import { sentLabels } from './labels.ts'
import { maxPattern } from './pattern.ts'
import { fieldLabels, type ModelField } from './table.ts'

const count = { minimum: 0, maximum: 2_147_483_647 }
const Bound = (description: string) =>
  Type.Unsafe<number | string | null>({ type: ['number', 'string', 'null'], maxLength: 100, description })
const List = (items: object, description: string) =>
  Type.Unsafe<(string | number)[] | null>({
    type: ['array', 'null'],
    items,
    minItems: 1,
    maxItems: 1000,
    description,
  })

const validations = {
  min_length: Nullable('integer', count),
  max_length: Nullable('integer', count),
  pattern: NullableText(maxPattern, {
    description: 'In the syntax of RE2; found anywhere in the value unless it has ^ and $',
    examples: ['^[A-Z]{2}\\d{4}$'],
  }),
  min: Bound('The least number or the first moment'),
  max: Bound('The greatest number or the last moment'),
  values: List(
    { type: ['string', 'number'], maxLength: 500 },
    'The only values; of a Resource the only types',
  ),
  min_items: Nullable('integer', count),
  max_items: Nullable('integer', count),
  models: List({ type: 'string', maxLength: 200 }, 'Ids of the models that publications may have'),
}

const field = {
  api_id: Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9_]{0,63}$', examples: ['summary'] }),
  title: NullableText(200, { examples: ['Summary'] }),
  description: NullableText(2000),
  required: Type.Boolean({ description: 'Must be filled where a locale is Done' }),
  localized: Type.Boolean({ description: 'Otherwise one value holds for every locale' }),
  filterable: Type.Boolean({ description: 'Publications can be found by it' }),
}
const Label = (labels: readonly string[]) =>
  Type.Unsafe<string>({ type: 'string', enum: labels, description: 'The type', examples: ['Text'] })

const optional = (properties: TProperties) => Type.Partial(Type.Object(properties)).properties
const Value = Type.Unknown({ description: 'In the form of a request', examples: [{ body: 'Soon' }] })

const SentField = Type.Object(
  {
    ...optional(field),
    api_id: field.api_id,
    label: Label(sentLabels),
    validations: Type.Optional(
      Type.Unsafe<object | null>({
        type: ['object', 'null'],
        properties: validations,
        additionalProperties: false,
      }),
    ),
    default: Type.Optional(Value),
  },
  { additionalProperties: false },
)

const model = {
  body: Text(200, { examples: ['Article'] }),
  description: NullableText(10_000, { examples: ['News and background'] }),
  stories: Type.Boolean({ description: 'Whether its publications can stand in containers' }),
  channels: Type.Boolean({ description: 'Whether its publications can stand in channels' }),
}
/** Read by `readModelFields`, which knows more of them than a schema can say. */
const fields = Type.Unsafe<unknown[] | null>({
  type: ['array', 'null'],
  items: SentField,
  maxItems: 200,
  description: 'In the order of the editor; what is sent takes the place of all of them',
  examples: [
    [
      { api_id: 'title', label: 'Text', required: true, validations: { max_length: 120 } },
      { api_id: 'related', label: 'Publication', validations: { max_items: 5 } },
    ],
  ],
})

export const ModelChanges = Changes({ ...model, fields }, ['title'])
export const ModelBody = Body({ ...ModelChanges.properties, body: model.body }, ['title'])
export type ModelBody = Static<typeof ModelBody>
export type ModelChanges = Static<typeof ModelChanges>

export const PublicationModel = Type.Object(
  { ...base('PublicationModel'), ...model, description: Nullable('string') },
  { title: 'PublicationModel' },
)

// Nothing is required: braces may leave any of it out.
export const ModelFields = Type.Unsafe<ModelField[]>({
  type: 'array',
  items: {
    type: 'object',
    properties: {
      ...field,
      label: Label(fieldLabels),
      validations: { type: 'object', properties: validations },
      default: Value,
    },
  },
})
