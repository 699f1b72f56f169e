import { Type } from 'typebox'
import { interactionLabels } from '../../interactions/labels.ts'
import { notificationStates } from '../../notifications/table.ts'
import { expired } from './statuses.ts'

const text = (description: string, options: object = {}) =>
  Type.Optional(Type.Unsafe<string>({ description, ...options }))
const list = (description: string, example: string) =>
  Type.Optional(
    Type.Unsafe<string | string[]>({
      type: ['string', 'array'],
      items: { type: 'string' },
      description: `${description}; several by comma or as a list`,
      examples: [example],
    }),
  )
const boolean = (description: string) =>
  text(description, { type: ['string', 'boolean'], examples: ['true'] })

/** What the list can be ordered by the count of. */
const orders = interactionLabels.filter(
  (label) => !['Subscribe', 'Opened', 'Search', 'Called', 'Emailed'].includes(label),
)

/** What a person of a session did, and the label it is known by. */
export const doings = {
  me_viewed: 'View',
  me_liked: 'Like',
  me_bookmarked: 'Bookmark',
  me_disliked: 'Dislike',
  me_purchased: 'Purchase',
} as const

const did = (name: string) =>
  boolean(`true: what the person has ${name}; false: the rest. Needs session_hash`)

/** What the list takes besides paging, all of it by name rather than by operator. */
export const PublicationListQueryV5 = Type.Object(
  {
    status: list(
      `draft, pending, approval, published, unpublished, ${expired} or another status`,
      'published',
    ),
    label: list('By label', 'Banner'),
    channel_id: text('In this channel'),
    channel_ids: list('In one of these channels', '0199c2a4-7d1e-7c3a-9b52-3f1e8a6d4c20'),
    channel_slug: text('In the channel with this slug', { examples: ['website'] }),
    tag_ids: list('With one of these tags', '0199c2a4-7d1e-7c3a-9b52-3f1e8a6d4c20'),
    tag_names: list('With one of these tags, by body', 'Sports'),
    tag_slug: text('With the tag of this slug', { examples: ['sports'] }),
    q: text('Words in any text, typing errors forgiven; sorts by relevance unless told otherwise'),
    me_viewed: did('viewed'),
    me_liked: did('liked'),
    me_bookmarked: did('bookmarked'),
    me_disliked: did('disliked'),
    me_purchased: did('purchased'),
    me: Type.Optional(
      Type.Unsafe<object>({
        type: 'object',
        description: `\`me[notification][state]\`: ${notificationStates.join(', ')}. Needs session_hash`,
        examples: [{ notification: { state: 'pending' } }],
      }),
    ),
    session_hash: text('The secret of the session of a person; not needed with a personal token'),
    latitude: text('Near this place, the nearest first unless sorted otherwise; with longitude', {
      type: ['string', 'number'],
      examples: ['52.37'],
    }),
    longitude: text('With latitude', { type: ['string', 'number'], examples: ['4.89'] }),
    distance: text('At most so many metres away, from 50 on; with latitude and longitude', {
      type: ['string', 'integer'],
      examples: ['5000'],
    }),
    event_from: text('With an event that is not over before', { examples: ['2026-11-01'] }),
    event_until: text('With an event that begins until then', { examples: ['2026-11-30'] }),
    published_on_from: text('Published at this time or later: epoch seconds or ISO 8601', {
      examples: ['1793525400'],
    }),
    published_on_until: text('Published at this time or earlier', { examples: ['1793525400'] }),
    interactions_order: text('The one with most of these interactions first, then as sorted', {
      enum: orders,
      examples: ['Like'],
    }),
    created_by_id: text('Made by this user'),
    published: text('Whether readers see it now; also as `published[eq]`', {
      type: ['string', 'boolean', 'object'],
      examples: ['true'],
    }),
  },
  { additionalProperties: true },
)
