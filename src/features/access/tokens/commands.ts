import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
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
  renewed_from?: string | null
  /** Only the first token may be chosen by configuration. */
  value?: string
}

/** The value is given back once and never again: only its hash is kept. */
export const createToken = async (
  tx: Tx,
  by: Performer,
  { value = undefined, ...token }: NewToken,
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
      hint: `${secret.slice(0, secret.indexOf('_') + 5)}…`,
      scopes: sql<string[]>`${[...token.scopes]}::text[]`,
      visibility: token.visibility ?? defaultVisibility(token.scopes),
      created_by: by.user_id,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await emit(tx, by, event, row, presentToken(row))
  return { row, value: secret }
}
