import { Type } from 'typebox'
import { offered } from './names.ts'

/** Checked by hand, so that everything that is wrong is told at once. */
export const EventsQuery = Type.Object(
  {
    events: Type.Optional(
      Type.Unsafe<string>({
        description: `Names by comma; all that the token may read without it. There are ${offered.join(', ')}; publication.updated means publication.changed.`,
        examples: ['publication.published,publication.unpublished'],
      }),
    ),
    filter: Type.Optional(
      Type.Unsafe<object>({
        description:
          'Only events of publications that fit, by the filters of `GET /publications` in brackets: `filter[status][eq]=Done`. They are held against the publication as the event left it, or as it was before its deletion.',
        examples: [{ status: { eq: 'Done' } }],
      }),
    ),
    locale: Type.Optional(
      Type.Unsafe<string>({
        description: 'The locale that the filter is about; only events of publications that are linked to it',
        examples: ['en-US'],
      }),
    ),
    last_event_id: Type.Optional(
      Type.Unsafe<string>({
        description:
          'Begins behind the event with this id, without gaps or repeats. The header `Last-Event-ID` means the same and goes first. Without either: from now on.',
        examples: ['1042'],
      }),
    ),
  },
  { additionalProperties: true },
)

const example = [
  'retry: 2000',
  'id: 1042',
  '',
  'id: 1043',
  'event: channel.changed',
  'data: {"id":"0199c2a4-7d1e-7c3a-9b52-3f1e8a6d4c20","created_on":"2026-11-01T09:30:00+00:00","event":"channel.changed","payload":{"id":"0199c2a4-7d1e-7c3a-9b52-3f1e8a6d4c21","label":"Channel","name":"Harbour FM"},"performed_by":{"user":null,"token":{"id":"0199c2a4-7d1e-7c3a-9b52-3f1e8a6d4c22"}}}',
  '',
  '',
].join('\n')

export const EventStream = {
  description: 'Events as they happen, until somebody ends it',
  content: { 'text/event-stream': { schema: Type.String({ examples: [example] }) } },
}
