import type { Generated, Selectable } from 'kysely'
import type { GlobalColumns, Json, RecordColumns } from '../../database/columns.ts'

export const roles = ['owner', 'admin', 'editor', 'viewer'] as const
export type Role = (typeof roles)[number]
export const visibilities = ['published', 'all'] as const
export type Visibility = (typeof visibilities)[number]
export type TokenKind = 'environment' | 'organisation' | 'application' | 'studio' | 'personal'

export type OrganisationTable = GlobalColumns & { name: string }

export type EnvironmentTable = GlobalColumns & {
  organisation_id: string
  name: string
  locales: string[]
  default_locale: string
  time_zone: string
  settings: Json<Record<string, unknown>>
}

export type UserTable = GlobalColumns & {
  email: string
  name: string
  password_hash: string | null
  totp_secret: string | null
  totp_confirmed: Generated<boolean>
  totp_last_step: string | null
  last_seen: Date | null
}

export type MembershipTable = { organisation_id: string; user_id: string; role: Role }

export type InvitationTable = GlobalColumns & {
  organisation_id: string
  email: string
  role: Role
  invited_by: string | null
  expires_on: Date
  accepted_on: Date | null
}

export type ApplicationTable = RecordColumns & {
  name: string
  secret_hash: Buffer
  scopes: string[]
  visibility: Visibility
  user_id: string | null
}

export type TokenTable = GlobalColumns & {
  organisation_id: string
  environment_id: string | null
  kind: TokenKind
  name: string
  hash: Buffer
  hint: string
  scopes: string[]
  visibility: Visibility
  user_id: string | null
  session_id: string | null
  application_id: string | null
  person_key: string | null
  refresh_hash: Buffer | null
  refresh_expires_on: Date | null
  refresh_used_on: Date | null
  chain_id: string | null
  renewed_from: string | null
  expires_on: Date | null
  revoked_on: Date | null
  last_used_on: Date | null
  created_by: string | null
  updated_by: string | null
}

export type UserSessionTable = {
  id: string
  user_id: string
  hash: Buffer
  ip_address: string | null
  user_agent: string | null
  expires_on: Date
  created_on: Generated<Date>
  changed_on: Date | null
}

export type RateLimitTable = { key: string; window_start: Date; count: number }

/** The view of users within one organisation. */
export type OrganisationUserTable = Omit<UserTable, 'password_hash' | 'totp_secret' | 'totp_last_step'> & {
  organisation_id: string
  role: Role
}

export type EnvironmentRow = Selectable<EnvironmentTable>
export type UserRow = Selectable<UserTable>
export type OrganisationUserRow = Selectable<OrganisationUserTable>
export type InvitationRow = Selectable<InvitationTable>
export type ApplicationRow = Selectable<ApplicationTable>
export type TokenRow = Selectable<TokenTable>
export type UserSessionRow = Selectable<UserSessionTable>
