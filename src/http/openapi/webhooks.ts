import { type TObject, Type } from 'typebox'
import { emittedName, eventCatalogue, offeredEvents } from '../../events.ts'
import { Asset } from '../../features/assets/schema.ts'
import { ChannelV5 } from '../../features/channels/schema.ts'
import { CommentPayload } from '../../features/comments/schema.ts'
import { Configuration } from '../../features/configurations/schema.ts'
import { Container, Description } from '../../features/containers/schema.ts'
import { MessagePayload } from '../../features/messages/schema.ts'
import { ModelFields, PublicationModel } from '../../features/models/schema.ts'
import { Artist, Track } from '../../features/music/catalogue/schema.ts'
import { Timeline } from '../../features/music/timelines/schema.ts'
import { PersonPayload } from '../../features/persons/schema.ts'
import { Publication } from '../../features/publications/schema.ts'
import { Recommendation, RecommendationGaveWay } from '../../features/recommendations/schema.ts'
import { PersonInSegment, Segment } from '../../features/segments/schema.ts'
import { Source } from '../../features/sources/schema.ts'
import { Status } from '../../features/statuses/schema.ts'
import { Tag } from '../../features/tags/schema.ts'
import { DateTime } from '../schemas.ts'
import type { Schema } from './collect.ts'
import type { Components } from './components.ts'
import { exampleOf } from './examples.ts'
import { capital } from './names.ts'

const Reference = Type.Object({ id: Type.String() })
const Named = (description: string) =>
  Type.Unsafe<object | null>({
    type: ['object', 'null'],
    properties: { id: { type: 'string' } },
    required: ['id'],
    description,
  })

const PersonAndPublication = Type.Object(
  { ...PersonPayload.properties, publication: Reference },
  { title: 'PersonAndPublication' },
)

/** Records as events carry them, by label, or by event where it tells of something else. */
const payloads: Record<string, TObject> = {
  Artist,
  Asset,
  Channel: Type.Object(ChannelV5.properties, { title: 'ChannelPayload' }),
  Comment: CommentPayload,
  Configuration,
  Container: Type.Object(
    { ...Container.properties, description: Description },
    { title: 'ContainerPayload' },
  ),
  Message: MessagePayload,
  Person: PersonPayload,
  Publication: Type.Object(
    {
      ...Publication.properties,
      expire_on: { ...Publication.properties.expire_on, examples: [{ 'en-US': null }] },
      model: Named('Null where it has none'),
      channels: Type.Array(Reference),
      containers: Type.Array(Reference),
      items: Type.Unsafe<object>({
        type: 'object',
        additionalProperties: { type: 'object', additionalProperties: true },
        description: 'Locale → api_id → value, of every linked locale',
        examples: [{ 'en-US': { title: { label: 'Text', body: 'Good morning', format: 'H1' } } }],
      }),
    },
    { title: 'PublicationPayload' },
  ),
  PublicationModel: Type.Object(
    { ...PublicationModel.properties, fields: ModelFields },
    { title: 'PublicationModelPayload' },
  ),
  Segment,
  Recommendation,
  Source,
  Status,
  Tag,
  Timeline,
  Track,
  'person.liked': PersonAndPublication,
  'person.unliked': PersonAndPublication,
  'person.subscribed': PersonAndPublication,
  'person.unsubscribed': PersonAndPublication,
  'person.segment.added': PersonInSegment,
  'person.segment.removed': PersonInSegment,
  'recommendation.gave_way': RecommendationGaveWay,
}

const headers: Schema[] = [
  ['webhook-id', 'The id of the message, the same on every attempt', '0199c2a4-7d1e-7c3a-9b52-3f1e8a6d4c20'],
  ['webhook-timestamp', 'When this attempt was signed, in seconds', '1793525400'],
  [
    'webhook-signature',
    'One signature, or two while the secret is being replaced',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
].map(([name, description, example]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
}))

/** What the service sends to webhooks, one entry per name of the catalogue. */
export const webhooksOf = (components: Components): Record<string, Schema> =>
  Object.fromEntries(offeredEvents.toSorted().map((name) => [name, { post: callOf(name, components) }]))

const callOf = (name: string, components: Components): Schema => {
  const { label } = eventCatalogue[emittedName(name)]!
  const media = bodyOf(name, label, components)
  return {
    operationId: `on${name.split(/[._]/).map(capital).join('')}`,
    tags: ['Webhooks'],
    summary: summaryOf(name),
    description: descriptionOf(name),
    security: [],
    parameters: headers,
    requestBody: { required: true, content: { 'application/json': media } },
    responses: {
      '2XX': { description: 'Received; nothing more is sent.' },
      410: { description: 'Not wanted any more: the webhook is switched off.' },
      default: {
        description: 'Anything else, a redirect too, is tried again, ten times in about three days.',
      },
    },
  }
}

const summaryOf = (name: string): string => capital(name.replaceAll(/[._]/g, ' '))

const descriptionOf = (name: string): string => {
  if (emittedName(name) !== name) return `Another name of ${emittedName(name)}, for registration.`
  return 'Sent after the change is committed, at least once.'
}

const bodyOf = (name: string, label: string, components: Components): Schema => {
  const payload = components.convert((payloads[emittedName(name)] ?? payloads[label]!) as unknown as Schema)
  const schema = {
    ...components.convert(envelopeOf(name) as unknown as Schema),
  } as Schema & { properties: Record<string, Schema> }
  schema.properties = { ...schema.properties, payload }
  const example = exampleOf(schema, { resolve: components.resolve, shows: () => true })
  return { schema, example }
}

const envelopeOf = (name: string) =>
  Type.Object({
    id: Type.String({ description: 'Of the message, as in webhook-id' }),
    created_on: DateTime(),
    event: Type.Literal(name),
    payload: Type.Unknown(),
    performed_by: Type.Object({
      user: Named('Null where no user was signed in'),
      token: Named('Null where the service itself did it'),
    }),
  })
