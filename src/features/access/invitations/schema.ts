import { type Static, Type } from 'typebox'
import { Body, base, NullableDateTime, Text } from '../../../http/schemas.ts'
import { Choice, Email, Password, Reference } from '../schemas.ts'
import { roles } from '../table.ts'

export const InvitationBody = Body({ email: Email(), role: Choice(roles) })
export type InvitationBody = Static<typeof InvitationBody>

/** Somebody who has an account already gives its password; the name is not needed then. */
export const Acceptance = Body({
  token: Type.String({ maxLength: 200 }),
  name: Type.Optional(Text(200)),
  password: Password(),
})
export type Acceptance = Static<typeof Acceptance>

export const Invitation = Type.Object(
  {
    ...base('Invitation'),
    email: Type.String(),
    role: Choice(roles),
    invited_by: Reference,
    expires_on: Type.String({ format: 'date-time' }),
    accepted_on: NullableDateTime(),
  },
  { title: 'Invitation' },
)
