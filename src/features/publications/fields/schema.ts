import { type TSchema, Type } from 'typebox'
import { DateTime, NullableDateTime } from '../../../http/schemas.ts'
import { type FieldLabel, fieldLabels } from '../../models/table.ts'
import { fieldTypes } from './types.ts'

type Both = { request: TSchema; response: TSchema }

const ofLabel = (label: FieldLabel): Both => {
  const properties = Object.entries(fieldTypes[label].properties)
  const shown = properties.map(([name, { schema }]) => [name, Type.Unsafe(schema)] as const)
  const sent = properties.map(([name, property]) => {
    const schema = Type.Unsafe(property.sent ?? property.schema)
    return [name, Type.Optional(schema)] as const
  })
  const sentLabels = label === 'TagBox' ? ['TagBox', 'Tag'] : [label]
  return {
    request: Type.Object(
      { label: Type.Optional(Type.Unsafe({ enum: sentLabels })), ...Object.fromEntries(sent) },
      { title: `${label}Value` },
    ),
    response: Type.Object(
      {
        id: Type.String(),
        created_on: DateTime(),
        changed_on: NullableDateTime(),
        label: Type.Literal(label),
        ...Object.fromEntries(shown),
      },
      { title: `Shown${label}Value` },
    ),
  }
}

/** Every type of values for the documents; what is sent is judged by `readFields`, which names every fault. */
const values = fieldLabels.map(ofLabel)
export const SentValue = Type.Union(
  values.map(({ request }) => request),
  { title: 'FieldValue' },
)
export const ShownValue = Type.Union(
  values.map(({ response }) => response),
  { title: 'ShownFieldValue' },
)
