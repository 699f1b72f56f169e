import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Db, Tx } from '../../../database/connect.ts'
import { transaction } from '../../../database/transaction.ts'
import { newSecret, sha256 } from '../../../secrets.ts'
import { holdRole, holdUser } from '../authority.ts'
import type { ApplicationRow, TokenRow } from '../table.ts'
import { createToken, revokeTokens } from '../tokens/commands.ts'
import { OAuthError } from './errors.ts'

export const accessSeconds = 3600
const refreshSeconds = 30 * 86_400

export type Client = ApplicationRow & { organisation_id: string }
type Issued = { row: TokenRow; value: string; refresh: string }

/** An unknown client and a wrong secret are told apart by nothing. */
export const authenticateClient = async (
  db: Db,
  named: { id: string; secret: string } | undefined,
): Promise<Client> => {
  const client = named && (await findClient(db, named.id))
  const sent = sha256(named?.secret ?? '')
  if (!client || !timingSafeEqual(client.secret_hash, sent))
    throw new OAuthError('invalid_client', 'the client is not known or its secret is wrong')
  return client
}

const findClient = (db: Db | Tx, id: string): Promise<Client | undefined> =>
  id.includes('\0')
    ? Promise.resolve(undefined)
    : db
        .selectFrom('applications')
        .innerJoin('environments', 'environments.id', 'applications.environment_id')
        .selectAll('applications')
        .select('environments.organisation_id')
        .where('applications.id', '=', id)
        .executeTakeFirst()

/**
 * Locked, so that an application that is being narrowed or deleted cannot get a token past it. Its user counts
 * only as a member of the organisation, and without a user nothing is published in anybody's name.
 */
const lockClient = async (
  tx: Tx,
  { environment_id, id, organisation_id, user_id: known }: Client,
): Promise<Client> => {
  await holdUser(tx, known)
  const row = await tx
    .selectFrom('applications')
    .selectAll()
    .where('environment_id', '=', environment_id)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  if (!row) throw new OAuthError('invalid_client', 'the client is not known or its secret is wrong')
  const role = await holdRole(tx, organisation_id, row.user_id)
  if (role) return { ...row, organisation_id }
  const scopes = row.scopes.filter((scope) => scope !== 'content_items_publish')
  return { ...row, organisation_id, scopes, user_id: null }
}

export const grantToClient = (context: Context, client: Client, scope: string | undefined): Promise<Issued> =>
  transaction(context, async (tx) => {
    const current = await lockClient(tx, client)
    return issue(tx, current, subset(current.scopes, scope))
  })

/** Rotating: each refresh token works once. One that comes again was stolen or copied, so its whole chain ends. */
export const refresh = async (
  context: Context,
  client: Client,
  token: string,
  scope: string | undefined,
): Promise<Issued> => {
  const issued = await transaction(context, async (tx) => {
    const current = await lockClient(tx, client)
    const old = await lockRefreshed(tx, client, token)
    if (!old || old.revoked_on || !old.refresh_expires_on || old.refresh_expires_on <= new Date())
      return undefined
    const chain = old.chain_id ?? old.id
    if (old.refresh_used_on) {
      await revokeTokens(tx, performer(client), sql`(id = ${chain} or chain_id = ${chain})`)
      return undefined
    }
    const still = old.scopes.filter((name) => current.scopes.includes(name))
    await sql`update tokens set refresh_used_on = now() where id = ${old.id}`.execute(tx)
    return issue(tx, current, subset(still, scope), { renewed_from: old.id, chain_id: chain })
  })
  // Thrown after the commit: a chain that ends must stay ended.
  if (!issued) throw new OAuthError('invalid_grant', 'the refresh token is not valid')
  return issued
}

const lockRefreshed = async (tx: Tx, client: Client, token: string): Promise<TokenRow | undefined> =>
  tx
    .selectFrom('tokens')
    .selectAll()
    .where('refresh_hash', '=', sha256(token))
    .where('application_id', '=', client.id)
    .where('environment_id', '=', client.environment_id)
    .forUpdate()
    .executeTakeFirst()

const performer = ({ organisation_id, environment_id, user_id }: Client) => ({
  organisation_id,
  environment_id,
  user_id,
  token_id: null,
})

const issue = async (
  tx: Tx,
  client: Client,
  scopes: readonly string[],
  chain: { renewed_from?: string; chain_id?: string } = {},
): Promise<Issued> => {
  const { name, visibility, user_id, id } = client
  const secret = newSecret('mqr')
  const now = Date.now()
  const made = await createToken(tx, performer(client), {
    ...chain,
    kind: 'application',
    name,
    scopes,
    visibility,
    user_id,
    application_id: id,
    expires_on: new Date(now + accessSeconds * 1000),
    refresh_hash: sha256(secret),
    refresh_expires_on: new Date(now + refreshSeconds * 1000),
  })
  return { ...made, refresh: secret }
}

/** The scopes asked for, separated by spaces; without any, all that may be had. */
const subset = (allowed: readonly string[], scope: string | undefined): readonly string[] => {
  if (scope === undefined) return allowed
  const asked = [...new Set(scope.split(' ').filter(Boolean))]
  const beyond = asked.filter((name) => !allowed.includes(name))
  if (beyond.length > 0 || asked.length === 0)
    throw new OAuthError('invalid_scope', 'asks for more than the client may have')
  return asked
}
