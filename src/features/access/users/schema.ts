import { type Static, Type } from 'typebox'
import { Body, base, Changes, NullableDateTime, Text } from '../../../http/schemas.ts'
import { Choice, Email, Password } from '../schemas.ts'
import { roles } from '../table.ts'

const name = Text(200, { examples: ['Editor'] })
const shown = ['two_factor', 'last_seen']

export const UserBody = Body(
  { email: Email(), name, role: Choice(roles), password: Type.Optional(Password()) },
  shown,
)
export type UserBody = Static<typeof UserBody>

export const UserChanges = Changes({ email: Email(), name, role: Choice(roles), password: Password() }, shown)
export type UserChanges = Static<typeof UserChanges>

/** The own account. The current password is asked for what could lock the user out. */
export const OwnChanges = Changes(
  { email: Email(), name, password: Password(), current_password: Type.String({ maxLength: 200 }) },
  [...shown, 'role'],
)
export type OwnChanges = Static<typeof OwnChanges>

export const TwoFactorStart = Body({ current_password: Type.Optional(Type.String({ maxLength: 200 })) })
export const TwoFactorCode = Body({
  two_factor_code: Type.String({ maxLength: 20, examples: ['123456'] }),
})
export const TwoFactorEnrolment = Type.Object({
  secret: Type.String({ description: 'Shown once' }),
  uri: Type.String({ description: 'The same for a QR code' }),
})

export const User = Type.Object(
  {
    ...base('User'),
    name,
    email: Type.String(),
    role: Choice(roles),
    two_factor: Type.Boolean(),
    last_seen: NullableDateTime(),
  },
  { title: 'User' },
)
