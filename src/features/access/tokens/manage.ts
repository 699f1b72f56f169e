import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { checkVersion, type Expected } from '../../../database/records.ts'
import { parseMoment } from '../../../database/values.ts'
import { conflict, type FieldError, Invalid } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import type { Actor } from '../authenticate.ts'
import { grantProblems, requireOrganisation, visibilityFor } from '../authority.ts'
import { updateRow } from '../rows.ts'
import type { TokenRow } from '../table.ts'
import { createToken, renewToken, revokeTokens } from './commands.ts'
import { presentToken } from './present.ts'
import { findToken } from './queries.ts'
import type { TokenBody, TokenChanges, TokenRenewal } from './schema.ts'

/** Makes a token for somebody who has one; nothing that the asking token lacks can be had by this. */
export const issueToken = async (tx: Tx, actor: Actor, body: TokenBody) => {
  const kind = body.kind ?? 'environment'
  if (kind === 'organisation') requireOrganisation(actor)
  const grant = {
    scopes: body.scopes,
    visibility: visibilityFor(actor, body.scopes, body.visibility),
    user_id: body.user?.id ?? null,
  }
  const problems = await grantProblems(tx, actor, grant)
  const expires_on = readExpiry(body.expires_on, problems) ?? null
  if (problems.length > 0) throw new Invalid(problems)
  return createToken(tx, actor, { ...grant, kind, name: body.name, expires_on })
}

/** Who is given the value must hold all that it can do. */
export const renewOwnToken = async (tx: Tx, actor: Actor, id: string, body: TokenRenewal) => {
  const given = await grantProblems(tx, actor, await findToken(tx, actor, id))
  const old = await findToken(tx, actor, id, true)
  const problems = [...fixed(old, { scopes: body.scopes }), ...given]
  const expires_on = readExpiry(body.expires_on, problems)
  if (problems.length > 0) throw new Invalid(problems)
  if (old.kind !== 'environment' && old.kind !== 'organisation')
    throw conflict('id', `a token of the kind ${old.kind} is not renewed`)
  requireAlive(old)
  return renewToken(tx, actor, old, expires_on)
}

export const changeToken = async (
  tx: Tx,
  actor: Actor,
  id: string,
  { name, expires_on, ...rest }: TokenChanges,
  expected: Expected,
): Promise<TokenRow> => {
  const before = await findToken(tx, actor, id, true)
  checkVersion('Token', before, expected)
  const problems = fixed(before, rest)
  const expiry = expires_on === presentToken(before).expires_on ? undefined : readExpiry(expires_on, problems)
  if (problems.length > 0) throw new Invalid(problems)
  requireAlive(before)
  const row = await updateRow(tx, 'tokens', before, { name, expires_on: expiry })
  const by = { ...actor, environment_id: row.environment_id }
  if (row !== before) await emit(tx, by, 'token.changed', row, presentToken(row))
  return row
}

export const revokeToken = async (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<void> => {
  const row = await findToken(tx, actor, id, true)
  checkVersion('Token', row, expected)
  await revokeTokens(tx, actor, sql`id = ${id}`)
}

const requireAlive = ({ revoked_on, expires_on }: TokenRow): void => {
  if (revoked_on) throw conflict('id', 'the token is revoked')
  if (expires_on && expires_on <= new Date()) throw conflict('id', 'the token has expired')
}

/** What a token may do is settled when it is made; sent back unchanged it is let pass. */
const fixed = (before: TokenRow, { scopes, ...rest }: Omit<TokenChanges, 'name' | 'expires_on'>) => {
  const problems: FieldError[] = (scopes ?? []).flatMap((scope, index) =>
    before.scopes.includes(scope) ? [] : [{ path: `scopes.${index}`, message: 'cannot be added to a token' }],
  )
  if (scopes && problems.length === 0 && new Set(scopes).size !== before.scopes.length)
    problems.push({ path: 'scopes', message: 'cannot be changed' })
  const shown = presentToken(before)
  for (const name of ['kind', 'visibility', 'user'] as const)
    if (rest[name] !== undefined && !isDeepStrictEqual(rest[name], shown[name]))
      problems.push({ path: name, message: 'cannot be changed' })
  return problems
}

const readExpiry = (
  sent: string | number | null | undefined,
  problems: FieldError[],
): Date | null | undefined => {
  if (sent === undefined || sent === null) return sent
  const moment = parseMoment(sent)!.from
  if (moment <= new Date()) problems.push({ path: 'expires_on', message: 'must be in the future' })
  return moment
}
