import { Type } from 'typebox'
import { base, DateTime, Nullable } from '../../../http/schemas.ts'

export const Job = Type.Object(
  {
    ...base('Job'),
    task: Type.String({ examples: ['access:send-invitation'] }),
    attempts: Type.Integer(),
    max_attempts: Type.Integer(),
    run_at: DateTime(),
    last_error: Nullable('string'),
    locked: Type.Boolean({ description: 'Being worked on' }),
  },
  { title: 'Job' },
)
