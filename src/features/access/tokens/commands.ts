import { randomUUIDv7 } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { emit, type Performer } from '../../../events.ts'
import { newSecret, sha256 } from '../../../secrets.ts'
import { defaultVisibility } from '../scopes.ts'
import type { TokenKind, TokenRow, Visibility } from '../table.ts'
import { presentToken } from './present.ts'

/** What a token begins with, so that a leaked one is recognised for what it is. */
const prefixes: Record<TokenKind, string> = {
  environment: 'mq',
  organisation: 'mqo',
  application: 'mqa',
  studio: 'mqs',
  personal: 'mqp',
}

export type NewToken = {
  kind: TokenKind
  name: string
  scopes: readonly string[]
  visibility?: Visibility
  expires_on?: Date | null
  user_id?: string | null
  session_id?: string | null
  application_id?: string | null
  person_key?: string | null
  renewed_from?: string | null
  refresh_hash?: Buffer
  refresh_expires_on?: Date
  chain_id?: string
  /** Only the first token may be chosen by configuration. */
  value?: string
}

/** How a value begins: its prefix and a little more, but never much of a value that was chosen by somebody. */
const hintOf = (value: string): string => {
  const length = Math.min(value.indexOf('_') + 5, 8, Math.floor(value.length / 3))
  return `${value.slice(0, length)}…`
}

/** The value is given back once and never again: only its hash is kept. */
export const createToken = async (
  tx: Tx,
  by: Performer,
  { value, ...token }: NewToken,
  event = 'token.created',
): Promise<{ row: TokenRow; value: string }> => {
  const secret = value ?? newSecret(prefixes[token.kind])
  const row = await tx
    .insertInto('tokens')
    .values({
      ...token,
      id: randomUUIDv7(),
      organisation_id: by.organisation_id,
      environment_id: token.kind === 'organisation' ? null : by.environment_id,
      hash: sha256(secret),
      hint: hintOf(secret),
      scopes: sql<string[]>`${[...token.scopes]}::text[]`,
      visibility: token.visibility ?? defaultVisibility(token.scopes),
      created_by: by.user_id,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await emit(tx, { ...by, environment_id: row.environment_id }, event, row, presentToken(row))
  return { row, value: secret }
}

/** Stops tokens at once here and within a second on other nodes. Those that have stopped already stay as they are. */
export const revokeTokens = async (
  tx: Tx,
  by: Performer,
  which: RawBuilder<unknown>,
): Promise<TokenRow[]> => {
  const { rows } = await sql<TokenRow>`update tokens
    set revoked_on = now(), changed_on = now(), version = version + 1, updated_by = ${by.user_id}
    where organisation_id = ${by.organisation_id} and revoked_on is null and ${which}
    returning *`.execute(tx)
  for (const row of rows)
    await emit(tx, { ...by, environment_id: row.environment_id }, 'token.revoked', row, presentToken(row))
  return rows
}

/** A new value with the same powers; the old one goes on until its expiry or revocation. */
export const renewToken = (
  tx: Tx,
  by: Performer,
  old: TokenRow,
  expires_on: Date | null = expiryLike(old),
): Promise<{ row: TokenRow; value: string }> => {
  const { kind, name, scopes, visibility, user_id } = old
  const renewed = { kind, name, scopes, visibility, user_id, expires_on, renewed_from: old.id }
  return createToken(tx, { ...by, environment_id: old.environment_id }, renewed, 'token.renewed')
}

/** As long from now as the old one had from its beginning. */
const expiryLike = ({ expires_on, created_on }: TokenRow): Date | null =>
  expires_on && new Date(Date.now() + expires_on.getTime() - created_on.getTime())
