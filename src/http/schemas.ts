import { type TProperties, type TSchema, Type } from 'typebox'
import { isoDate, isoDateOrNull } from '../dates.ts'
import type { UploadedFile } from '../storage/uploaded.ts'

export const Nullable = <T extends string>(type: T, options: object = {}) =>
  Type.Unsafe<(T extends 'integer' | 'number' ? number : T extends 'boolean' ? boolean : string) | null>({
    type: [type, 'null'],
    ...options,
  })

const moment = '2026-11-01T09:30:00+00:00'
export const DateTime = (options: object = {}) =>
  Type.String({ format: 'date-time', examples: [moment], ...options })
export const NullableDateTime = (options: object = {}) =>
  Nullable('string', { format: 'date-time', ...options })

/** What every record begins with. */
export const base = (label: string) => ({
  id: Type.String(),
  created_on: DateTime(),
  changed_on: NullableDateTime({ description: 'Null until the first change' }),
  label: Type.Literal(label),
})

type Stamped = { id: string; created_on: Date; changed_on: Date | null }

export const presentBase = <L extends string>(label: L, row: Stamped) => ({
  id: row.id,
  created_on: isoDate(row.created_on),
  changed_on: isoDateOrNull(row.changed_on),
  label,
})

/** Read-only names that a GET returned may be sent back; they are ignored. Any other unknown name is 400. */
const readBack = ['id', 'created_on', 'changed_on', 'label', 'environment', 'created_by', 'updated_by']

export const Body = <T extends TProperties>(
  properties: T,
  ignored: readonly string[] = [],
  options: object = {},
) =>
  Type.Object(properties, { additionalProperties: false, 'x-ignored': [...readBack, ...ignored], ...options })

/** The same body with nothing required, for PUT: what is not sent stays. */
export const Changes = <T extends TProperties>(properties: T, ignored: readonly string[] = []) =>
  Body(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema as TSchema)]),
    ) as {
      [K in keyof T]: ReturnType<typeof Type.Optional<T[K]>>
    },
    ignored,
  )

/** Nothing that a mail header or an address list would read as more than one address. */
export const emailPattern = '^[^\\s@<>(),;:"\\\\[\\]\\x00-\\x1f]+@[^\\s@<>(),;:"\\\\[\\]\\x00-\\x1f]+$'

/** A string that says something. */
export const Text = (maxLength: number, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', ...options })
export const NullableText = (maxLength: number, options: object = {}) =>
  Nullable('string', { maxLength, ...options })

const slug = { minLength: 1, maxLength: 200, pattern: '^[^\\s/?#]+$' }
export const Slug = (example: string) => Type.String({ ...slug, examples: [example] })
/** On creation: without one, or with null, it is made from the name. */
export const NewSlug = (example: string) =>
  Type.Optional(
    Nullable('string', { ...slug, examples: [example], description: 'Made from the name unless sent' }),
  )

export const IdParams = Type.Object({ id: Type.String({ maxLength: 200 }) })
export const Nothing = Type.Null({ description: 'Nothing' })

/** A file part of a form; the route names it in `config.files`. */
export const File = (description: string) =>
  Type.Unsafe<UploadedFile>({
    'x-file': true,
    'x-documented': { type: 'string', format: 'binary', description },
  })
