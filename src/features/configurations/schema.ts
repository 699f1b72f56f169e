import { type Static, Type } from 'typebox'
import { Body, base, Changes, Nullable, Text } from '../../http/schemas.ts'
import type { Settings } from './table.ts'

export const maxKeys = 1000
const Value = Nullable('string', { maxLength: 10_000 })

/** What may be sent: a list takes its indexes as keys, null takes a key away. One schema, so one fault per field. */
export type SentSettings = Record<string, string | null> | (string | null)[] | null
const SentSettings = Type.Unsafe<SentSettings>({
  type: ['object', 'array', 'null'],
  additionalProperties: Value,
  items: Value,
  maxProperties: maxKeys,
  maxItems: maxKeys,
  examples: [{ theme: 'dark', poll_interval: '30' }],
})

const fields = { body: Text(200, { examples: ['app'] }), settings: SentSettings }
export const ConfigurationChanges = Changes(fields)
export const ConfigurationBody = Body({ ...ConfigurationChanges.properties, body: fields.body })
export type ConfigurationBody = Static<typeof ConfigurationBody>
export type ConfigurationChanges = Static<typeof ConfigurationChanges>

export const Configuration = Type.Object(
  {
    ...base('Configuration'),
    body: fields.body,
    settings: Type.Unsafe<Settings | null>({
      type: ['object', 'null'],
      additionalProperties: { type: 'string' },
      examples: [{ theme: 'dark', poll_interval: '30' }],
    }),
  },
  { title: 'Configuration' },
)
