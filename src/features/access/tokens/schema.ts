import { type Static, Type } from 'typebox'
import { Body, base, Nullable, NullableDateTime, Text } from '../../../http/schemas.ts'
import { Choice, Moment, Reference, Scopes } from '../schemas.ts'
import { visibilities } from '../table.ts'

const name = Text(200, { examples: ['Website'] })
const kinds = ['environment', 'organisation'] as const
const shown = ['hint', 'revoked_on', 'last_used_on', 'renewed_from'] as const

export const TokenBody = Body({
  name,
  scopes: Scopes,
  kind: Type.Optional(Choice(kinds)),
  visibility: Type.Optional(
    Choice(visibilities, { description: 'Unless sent: all with a scope that writes, else published' }),
  ),
  expires_on: Type.Optional(Moment()),
  user: Type.Optional(Reference),
})
export type TokenBody = Static<typeof TokenBody>

/** What cannot be changed may be sent back as it was read; `changeToken` refuses anything else. */
export const TokenChanges = Body(
  {
    name: Type.Optional(name),
    expires_on: Type.Optional(Moment()),
    scopes: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
    kind: Type.Optional(Type.String()),
    visibility: Type.Optional(Type.String()),
    user: Type.Optional(Reference),
  },
  shown,
)
export type TokenChanges = Static<typeof TokenChanges>

export const TokenRenewal = Body({
  expires_on: Type.Optional(Moment({ description: 'Unless sent: as long as the old one was made for' })),
  scopes: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
})
export type TokenRenewal = Static<typeof TokenRenewal>

export const TokenValue = { value: Type.String({ description: 'Shown once', examples: ['mq_…'] }) }

export const TokenRecord = Type.Object(
  {
    ...base('Token'),
    name,
    kind: Choice(['environment', 'organisation', 'application', 'studio', 'personal']),
    hint: Type.String({ description: 'How the value begins' }),
    scopes: Type.Array(Type.String()),
    visibility: Choice(visibilities),
    user: Reference,
    expires_on: NullableDateTime(),
    revoked_on: NullableDateTime(),
    last_used_on: NullableDateTime(),
    renewed_from: Nullable('string'),
  },
  { title: 'Token' },
)
