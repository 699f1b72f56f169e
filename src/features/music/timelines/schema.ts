import { type Static, Type } from 'typebox'
import { Body, base, Changes, NullableText, Text } from '../../../http/schemas.ts'
import { Moment } from '../../access/schemas.ts'

export const longest = 86_400

const wall = { pattern: '^\\d{4}-\\d{2}-\\d{2}[ T]\\d{2}:\\d{2}:\\d{2}$', examples: ['2026-03-29 14:05:00'] }
const When = (description: string) =>
  Type.Unsafe<string | number>({ ...Moment({ description }), type: ['string', 'integer'] })
const Day = { pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-03-29'] }

const fields = {
  body: Text(1000, { description: 'Artist and title of the track unless sent', examples: ['Night Ferry'] }),
  channel_id: NullableText(200),
  track_id: NullableText(200),
  track_reference: NullableText(200, { writeOnly: true, description: 'The reference_unique of the track' }),
  isrc: NullableText(20, { writeOnly: true, description: 'Of the track' }),
  published_on: When('When it begins: epoch seconds or ISO 8601'),
  timecode: Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}:\\d{1,6}$',
    description: 'The same by the seconds of the day',
    examples: ['2026-03-29:50700'],
  }),
  from: Type.String({ ...wall, description: 'The same as clocks of the environment show it' }),
  unpublish_on: When('When it ends, at most 24 hours later'),
  until: Type.String({ ...wall, description: 'The same as clocks of the environment show it' }),
  duration: Type.Integer({
    minimum: 1,
    maximum: longest,
    writeOnly: true,
    description: 'The same in seconds',
  }),
}

/** Where something began and ended may be said in any of these ways; those that a read showed may come back. */
export const TimelineChanges = Changes(fields, ['channel', 'track'])
export const TimelineBody = TimelineChanges
export const TimelineImportBody = Body(
  { id: Type.Optional(Text(200, { description: 'Of one that is there' })), ...TimelineChanges.properties },
  ['channel', 'track'],
)
export type TimelineBody = Static<typeof TimelineBody>

export const Timeline = Type.Object(
  {
    ...base('Timeline'),
    body: Type.String(),
    published_on: Type.Integer({ description: 'Epoch seconds' }),
    timecode: Type.String({
      description: 'The day, and the seconds since it began, in the time zone of the environment',
      examples: ['2026-03-29:50700'],
    }),
    unpublish_on: Type.Integer({ description: 'Epoch seconds' }),
    from: Type.String({ examples: ['2026-03-29 14:05:00'] }),
    until: Type.String({ examples: ['2026-03-29 14:08:21'] }),
  },
  { title: 'Timeline' },
)

export const DayQuery = Type.Object(
  {
    date: Type.String({ ...Day, description: 'A day in the time zone of the environment' }),
    channel_id: Type.Optional(Type.String({ maxLength: 200 })),
    fields: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
)
export const NowQuery = Type.Object(
  { channel_id: Type.Optional(Type.String({ maxLength: 200 })), fields: Type.Optional(Type.Unknown()) },
  { additionalProperties: false },
)
export const MomentsQuery = Type.Object(
  { channel_id: Type.String({ maxLength: 200 }), date: Type.String(Day) },
  { additionalProperties: false },
)

const Counts = Type.Record(Type.String(), Type.Integer(), { description: 'How many, by label' })
const PlayedTrack = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  properties: { id: Type.String(), body: Type.String(), artist_text: Type.String() },
})

export const Moments = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        minute: Type.String({ examples: ['2026-03-29 14:05'] }),
        published_on: Type.Integer({ description: 'Where the minute begins, in epoch seconds' }),
        timeline: Type.Object({ id: Type.String(), body: Type.String() }),
        track: PlayedTrack,
        total: Type.Integer(),
        interactions: Counts,
      }),
    ),
    tracks: Type.Array(
      Type.Object({ track: PlayedTrack, body: Type.String(), total: Type.Integer(), interactions: Counts }),
      { description: 'The same by track, the most frequent first' },
    ),
    total: Type.Integer(),
  },
  { title: 'OnAirMoments' },
)
