import { type Static, Type } from 'typebox'
import { NullableText } from '../../http/schemas.ts'

const Timecode = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
    description,
    examples: ['2026-11-01 08:00:00'],
  })

export const CutBody = Type.Object(
  {
    start_timecode: Timecode('In the time zone of the environment'),
    end_timecode: Timecode('At most 3 hours later'),
    channel_id: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Whose recordings; not needed where only one channel has any',
      }),
    ),
    name: Type.Optional(NullableText(200, { description: 'Channel and time unless sent' })),
  },
  { additionalProperties: false },
)
export type CutBody = Static<typeof CutBody>
