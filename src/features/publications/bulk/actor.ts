import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import type { Actor, Token } from '../../access/authenticate.ts'
import type { OperationRow } from './table.ts'

type Performer = { organisation_id: string; token_id: string | null; user_id: string | null }
type Found = {
  token: (Omit<Token, 'scopes'> & { scopes: string[]; revoked_on: string | null }) | null
  member: boolean
}

/**
 * In whose name an operation works, and why it may no longer. Revoking the token stops it, and so does removing its
 * user. That a token has run out does not: those of the Studio live for minutes and end when somebody signs out.
 */
export const actorOf = async (
  context: Context,
  tx: Tx,
  { environment_id, performed_by }: Pick<OperationRow, 'environment_id' | 'performed_by'>,
): Promise<{ actor: Actor; refused: string | undefined }> => {
  const { organisation_id, token_id, user_id } = performed_by as Performer
  const { rows } = await sql<Found>`select
    (select to_jsonb(tokens) - 'hash' from tokens where id = ${token_id}) as token,
    ${user_id}::text is null or exists (select 1 from memberships
      where organisation_id = ${organisation_id} and user_id = ${user_id}) as member`.execute(tx)
  const { token, member } = rows[0]!
  const environment = (await context.tokens.environment(environment_id))!
  const actor: Actor = {
    organisation_id,
    environment_id,
    token_id,
    user_id,
    person_key: null,
    environment,
    token: (token ? { ...token, scopes: new Set(token.scopes) } : undefined) as Token,
  }
  const isRevoked = token !== null && token.revoked_on !== null && token.kind !== 'studio'
  const refused = isRevoked ? 'the token was revoked' : member ? undefined : 'the user was removed'
  return { actor, refused }
}
