import { type Static, Type } from 'typebox'
import { Body, Nullable, NullableDateTime } from '../../http/schemas.ts'
import { Email, Reference } from '../access/schemas.ts'

export const SignInRequestBody = Body({
  email: Email({ examples: ['reader@example.org'] }),
  email_template: Type.Optional(Reference),
  redirect_url: Type.String({
    maxLength: 2000,
    format: 'redirect-url',
    examples: ['https://www.example.org/signed-in'],
    description: 'One of the addresses that the environment or the operator has listed',
  }),
})
export type SignInRequestBody = Static<typeof SignInRequestBody>

export const Accepted = Type.Object({ message: Type.String() }, { title: 'Accepted' })

/** More than 60 years are no expiry that anybody means. */
export const MagicQuery = Type.Object(
  {
    ttl: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        pattern: '^(0|[1-9]\\d{0,8}|1\\d{9})$',
        description: 'Seconds that the personal token lives; 0 without end. 14 days unless given',
        examples: ['0'],
      }),
    ),
  },
  { additionalProperties: false },
)

export const MagicBody = Body({
  two_factor_code: Type.Optional(Nullable('string', { maxLength: 20, description: 'Where enrolled' })),
})
export type MagicBody = Static<typeof MagicBody>

export const Customer = Type.Object(
  {
    id: Type.String(),
    last_seen: NullableDateTime(),
    first_name: Nullable('string'),
    last_name: Nullable('string'),
    access_token: Type.Object({
      access_token: Type.String({ examples: ['mqp_…'] }),
      token_type: Type.Literal('Bearer'),
      expires_in: Nullable('integer', { description: 'Seconds; null without end' }),
    }),
  },
  { title: 'Customer' },
)

export const LinkParams = Type.Object({ token: Type.String({ maxLength: 200 }) })
