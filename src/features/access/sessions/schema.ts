import { type Static, Type } from 'typebox'
import { Body, base, Nullable } from '../../../http/schemas.ts'

/** Loose on purpose: what cannot be right is answered like any other wrong password. */
export const SessionBody = Body({
  email: Type.String({ maxLength: 254, examples: ['editor@example.org'] }),
  password: Type.String({ maxLength: 200, format: 'password' }),
  two_factor_code: Type.Optional(Nullable('string', { maxLength: 20, description: 'Where enrolled' })),
})
export type SessionBody = Static<typeof SessionBody>

export const Session = Type.Object(
  {
    ...base('Session'),
    hash: Type.String({
      description: 'On creation the secret that session_hash carries; afterwards a fingerprint',
    }),
    ttl: Type.Integer({ description: 'When it ends, in epoch seconds' }),
    ip_address: Nullable('string'),
  },
  { title: 'Session' },
)
