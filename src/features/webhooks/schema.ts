import { type Static, Type } from 'typebox'
import { offeredEvents } from '../../events.ts'
import { Body, base, Changes, NullableDateTime, Text } from '../../http/schemas.ts'
import { mask } from './headers.ts'

const Filter = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  description:
    'The filters of `GET /publications`, with `locale` among them. Only for events of publications; a deletion is matched as it was before.',
  examples: [{ status: [{ eq: 'Done' }], locale: 'en-US' }],
})

const Headers = Type.Unsafe<Record<string, string> | null>({
  type: ['object', 'null'],
  maxProperties: 20,
  additionalProperties: { type: 'string', maxLength: 2000 },
  description: `Sent with every call. Values are not shown again: \`${mask}\` stands for them and, sent back, keeps them.`,
  examples: [{ 'X-Api-Key': 'a key of yours' }],
})

const fields = {
  url: Text(2000, {
    description: 'Where calls go, by http or https. Credentials belong into headers.',
    examples: ['https://hooks.example.org/marquee'],
  }),
  events: Type.Array(Type.Unsafe<string>({ type: 'string', enum: offeredEvents }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: '`publication.updated` is another name of `publication.changed`.',
    examples: [['publication.updated', 'publication.published']],
  }),
  filter: Filter,
  headers: Headers,
  active: Type.Boolean({ default: true, description: 'Whether it is called' }),
}

const optional = Changes(fields).properties
const { url, events } = fields
const shown = ['previous_secret_until', 'failing_since', 'switched_off']
export const WebhookBody = Body({ ...optional, url, events }, shown)
export const WebhookChanges = Body({ ...optional, active: Type.Optional(Type.Boolean()) }, shown)
export type WebhookBody = Static<typeof WebhookBody>
export type WebhookChanges = Static<typeof WebhookChanges>

export const Webhook = Type.Object(
  {
    ...base('Webhook'),
    url,
    events: Type.Array(Type.String()),
    filter: Filter,
    headers: Type.Record(Type.String(), Type.String(), { examples: [{ 'X-Api-Key': mask }] }),
    active: Type.Boolean(),
    previous_secret_until: NullableDateTime({
      description: 'Until then calls are also signed with the secret before this one',
      examples: [null],
    }),
    failing_since: NullableDateTime({ description: 'Since when every call has failed' }),
    switched_off: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      properties: { on: { type: 'string', format: 'date-time' }, reason: { type: 'string' } },
      required: ['on', 'reason'],
      description: 'Why it is not active, where the service itself stopped calling it',
      examples: [null],
    }),
  },
  { title: 'Webhook' },
)

/** In the answer to what made it, and never again. */
export const WebhookSecret = {
  secret: Type.String({
    description: 'Signs every call, by the Standard Webhooks specification',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  }),
}
