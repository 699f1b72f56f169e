import { type Static, type TSchema, Type } from 'typebox'
import { Body, base, Changes, Text } from '../../../http/schemas.ts'

const name = Text(200, { examples: ['Main'] })
const Locale = Type.String({ pattern: '^[a-z]{2}-[A-Z]{2}$', examples: ['en-US'] })
const Locales = Type.Array(Locale, { minItems: 1, maxItems: 100, uniqueItems: true })
const time_zone = Type.String({ maxLength: 64, format: 'time-zone', examples: ['Europe/Amsterdam'] })

/** One schema of two types, and no union: a fault inside is then told once, and not that null would do too. */
const OrNull = <T extends TSchema & { type: string }>(schema: T) =>
  Type.Optional(Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] }))

const RedirectUrl = Type.String({
  maxLength: 2000,
  format: 'redirect-url',
  examples: ['https://www.example.org/signed-in'],
})

/** What belongs to an environment besides its languages and clock. Sent settings are merged; null removes one. */
export const Settings = Type.Object(
  {
    redirect_urls: OrNull(Type.Array(RedirectUrl, { maxItems: 100 })),
    image_widths: OrNull(
      Type.Array(Type.Integer({ minimum: 16, maximum: 8192 }), { maxItems: 50, uniqueItems: true }),
    ),
    control_share: OrNull(
      Type.Number({ minimum: 0, maximum: 1, description: 'Part of visitors that gets no recommendations' }),
    ),
    comment_approval: OrNull(
      Type.Boolean({ description: 'Whether comments of persons wait until somebody approves them' }),
    ),
    recordings_kept: OrNull(
      Type.Integer({
        minimum: 1,
        maximum: 3650,
        description: 'For how many days recordings of channels are kept; 31 unless given',
      }),
    ),
    versions_kept: OrNull(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'How many versions of each publication are kept; all unless given',
      }),
    ),
  },
  { additionalProperties: false },
)
export type Settings = Static<typeof Settings>

const optional = { locales: Locales, default_locale: Locale, time_zone, settings: Settings }
export const EnvironmentBody = Body({ ...Changes(optional).properties, name })
export const EnvironmentChanges = Changes({ ...optional, name })
export type EnvironmentBody = Static<typeof EnvironmentBody>
export type EnvironmentChanges = Static<typeof EnvironmentChanges>

export const Environment = Type.Object(
  {
    ...base('Environment'),
    name,
    locales: Type.Array(Type.String()),
    default_locale: Type.String(),
    time_zone: Type.String(),
    settings: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { title: 'Environment' },
)
