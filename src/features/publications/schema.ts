import { type Static, Type } from 'typebox'
import { Body, base, NullableDateTime } from '../../http/schemas.ts'
import { SentValue } from './fields/schema.ts'

const locale = '^[a-z]{2}-[A-Z]{2}$'
const example = '0199c2a4-7d1e-7c3a-9b52-3f1e8a6d4c20'

/** Locale → value. Which locales there are is the environment's matter; an unknown one is named by the command. */
const PerLocale = (value: object, options: object = {}) =>
  Type.Unsafe<Record<string, never> | null>({
    type: ['object', 'null'],
    additionalProperties: value,
    ...options,
  })

/** Another record by its id; what else a GET showed of it may be sent back. */
const Reference = {
  type: 'object',
  properties: { id: { type: 'string', maxLength: 200, examples: [example] } },
  required: ['id'],
}
const References = Type.Unsafe<{ id: string }[] | null>({
  type: ['array', 'null'],
  items: Reference,
  maxItems: 500,
})
const Moment = {
  type: ['string', 'integer', 'null'],
  description: 'Epoch seconds or ISO 8601, UTC',
  examples: ['2027-01-01T00:00:00+00:00'],
}

const fields = {
  model: Type.Optional(Type.Unsafe<{ id: string } | null>({ ...Reference, type: ['object', 'null'] })),
  locales: Type.Array(Type.String({ maxLength: 20, examples: ['en-US'] }), {
    minItems: 1,
    maxItems: 200,
    description:
      'Locales to link. A locale is linked once a field of it is filled, and until all are emptied',
  }),
  items: Type.Optional(
    PerLocale(
      {
        type: ['object', 'null'],
        additionalProperties: true,
        'x-documented': { type: ['object', 'null'], additionalProperties: SentValue },
      },
      {
        description: 'Locale → api_id → value. null removes a field, or all fields of a locale',
        examples: [{ 'en-US': { title: { label: 'Text', body: 'Good morning', format: 'H1' } } }],
      },
    ),
  ),
  slug: Type.Optional(
    PerLocale(
      { type: ['string', 'null'], minLength: 1, maxLength: 200, pattern: '^[^\\s/?#]+$' },
      { description: 'Made from the title unless sent', examples: [{ 'en-US': 'good-morning' }] },
    ),
  ),
  status: Type.Optional(
    PerLocale(
      {
        type: ['object', 'null'],
        properties: { id: { type: 'string' }, body: { type: 'string', examples: ['Done'] } },
      },
      { examples: [{ 'en-US': { body: 'Done' } }] },
    ),
  ),
  publish_on: Type.Optional(PerLocale(Moment)),
  expire_on: Type.Optional(PerLocale(Moment)),
  channels: Type.Optional(References),
  containers: Type.Optional(References),
  assigned_to: Type.Optional(PerLocale({ ...Reference, type: ['object', 'null'] })),
}

/** What a GET adds on request and nobody writes. */
const shown = ['title', 'published', 'insights', 'internal_comments', 'draft', 'share_url', 'preview_url']

export const PublicationBody = Body(
  {
    ...fields,
    label: Type.String({ minLength: 1, maxLength: 64, pattern: '\\S', examples: ['Publication'] }),
  },
  shown,
)
export const PublicationChanges = Body({ ...fields, locales: Type.Optional(fields.locales) }, shown)
export type PublicationBody = Static<typeof PublicationBody>
export type PublicationChanges = Static<typeof PublicationChanges>

const Shown = (value: object, options: object = {}) =>
  Type.Unsafe<object>({ type: 'object', additionalProperties: value, ...options })

export const Status = Type.Object({ ...base('Status'), body: Type.String() }, { title: 'Status' })

const listed = {
  ...base('Publication'),
  slug: Shown({ type: 'string' }, { examples: [{ 'en-US': 'good-morning' }] }),
  publish_on: Shown(NullableDateTime(), { examples: [{ 'en-US': '2026-11-01T09:30:00+00:00' }] }),
  status: Shown(Status),
}

/** As lists show it. */
export const ListedPublication = Type.Object(listed, { title: 'ListedPublication' })
export const Publication = Type.Object(
  {
    ...listed,
    expire_on: Shown(NullableDateTime()),
    locales: Type.Array(Type.String({ pattern: locale }), { description: 'Linked locales' }),
  },
  { title: 'Publication' },
)
