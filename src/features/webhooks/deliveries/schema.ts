import { type Static, Type } from 'typebox'
import {
  Body,
  base,
  DateTime,
  IdParams,
  Nullable,
  NullableDateTime,
  NullableText,
} from '../../../http/schemas.ts'
import { Moment } from '../../access/schemas.ts'

const Reference = Type.Object({ id: Type.String() })
const names = (values: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: values })

export const sources = ['event', 'bulk', 'test', 'replay', 'redelivery'] as const
export const statuses = ['pending', 'delivered', 'failed', 'cancelled'] as const

export const WebhookDelivery = Type.Object(
  {
    ...base('WebhookDelivery'),
    webhook: Reference,
    message_id: Type.String({
      description: 'The header webhook-id: the same on every attempt, redelivery and replay of an event',
    }),
    event: Type.String({ examples: ['publication.changed'] }),
    record: Type.Unsafe<{ id: string } | null>({
      type: ['object', 'null'],
      properties: { id: { type: 'string' } },
      description: 'What the event is about',
    }),
    source: names(sources),
    status: names(statuses),
    attempts: Type.Integer({ description: 'How often it was tried' }),
    next_attempt_on: NullableDateTime({ description: 'Null once there is none to come' }),
    ended_on: NullableDateTime(),
    attempted_on: NullableDateTime({ description: 'The last attempt; what follows is about it' }),
    duration: Nullable('integer', { description: 'Milliseconds' }),
    error: Nullable('string', { description: 'Why it was no success' }),
    response_status: Nullable('integer'),
  },
  { title: 'WebhookDelivery' },
)

const { properties } = WebhookDelivery
export const WholeDelivery = Type.Object(
  {
    ...properties,
    request: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      description: 'As it was last sent; secrets are masked',
      properties: {
        headers: { type: 'object', additionalProperties: { type: 'string' } },
        body: {
          type: ['string', 'null'],
          description:
            'As it would be sent now. Null where what it was about is gone or the token may not read it',
        },
      },
    }),
    response: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      properties: {
        status: { type: 'integer' },
        head: { type: ['string', 'null'], description: 'Headers and the beginning of the body, up to 2 KB' },
      },
    }),
  },
  { title: 'WholeWebhookDelivery' },
)

export const DeliveryParams = Type.Object({
  ...IdParams.properties,
  delivery_id: Type.String({ maxLength: 200 }),
})

export const TestBody = Body({
  event: Type.Optional(
    NullableText(100, {
      description:
        'One of the names that the webhook is registered for: the last event of that name that its filter matches is sent as a sample. Without one a `webhook.test` is sent, whose payload is the webhook.',
    }),
  ),
})
export type TestBody = Static<typeof TestBody>

export const ReplayBody = Body({
  from: Type.Unsafe<string | number>({
    ...Moment(),
    type: ['string', 'integer'],
    description: 'The first moment',
  }),
  until: Type.Optional(Moment({ description: 'The moment behind the last; now unless sent' })),
})
export type ReplayBody = Static<typeof ReplayBody>

export const WebhookReplay = Type.Object(
  {
    id: Type.String(),
    label: Type.Literal('WebhookReplay'),
    webhook: Reference,
    from: DateTime(),
    until: DateTime(),
  },
  { title: 'WebhookReplay' },
)
