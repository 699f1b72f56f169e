import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import {
  deleteRecord,
  type Expected,
  insertRecord,
  lockRecord,
  updateRecord,
} from '../../../database/records.ts'
import { Invalid } from '../../../errors.ts'
import { emit, type Performer } from '../../../events.ts'
import { newSecret, sha256 } from '../../../secrets.ts'
import type { Actor } from '../authenticate.ts'
import { grantProblems, visibilityFor } from '../authority.ts'
import type { ApplicationRow } from '../table.ts'
import { revokeTokens } from '../tokens/commands.ts'
import { presentApplication } from './present.ts'
import type { ApplicationBody, ApplicationChanges } from './schema.ts'

type Made = { row: ApplicationRow; secret: string }

export const createApplication = async (tx: Tx, actor: Actor, body: ApplicationBody): Promise<Made> => {
  const grant = {
    scopes: body.scopes,
    visibility: visibilityFor(actor, body.scopes, body.visibility),
    user_id: body.user?.id ?? null,
  }
  await requireGrant(tx, actor, grant)
  const secret = newSecret('mqc')
  const row = await insertRecord(tx, 'applications', actor, {
    ...grant,
    scopes: sql`${body.scopes}::text[]`,
    name: body.name,
    secret_hash: sha256(secret),
  })
  await emit(tx, actor, 'application.created', row, presentApplication(row))
  return { row, secret }
}

/** Whoever takes something away from an application takes it from the tokens it holds, too. */
export const changeApplication = async (
  tx: Tx,
  actor: Actor,
  id: string,
  { name, scopes, visibility, user }: ApplicationChanges,
  expected: Expected,
): Promise<ApplicationRow> => {
  const before = await lockRecord(tx, 'applications', 'Application', actor, id, expected)
  const grant = {
    scopes: scopes ?? before.scopes,
    visibility: visibility ?? before.visibility,
    user_id: user === undefined ? before.user_id : (user?.id ?? null),
  }
  if (scopes || visibility || user !== undefined) await requireGrant(tx, actor, grant)
  const row = await updateRecord(tx, 'applications', actor, before, {
    name,
    scopes: scopes && sql`${scopes}::text[]`,
    visibility,
    user_id: user === undefined ? undefined : grant.user_id,
  })
  if (row === before) return row
  await emit(tx, actor, 'application.changed', row, presentApplication(row))
  if (isNarrower(before, row)) await revokeTokens(tx, actor, tokensOf(row))
  return row
}

const isNarrower = (before: ApplicationRow, after: ApplicationRow): boolean =>
  before.scopes.some((scope) => !after.scopes.includes(scope)) ||
  (before.visibility === 'all' && after.visibility === 'published') ||
  before.user_id !== after.user_id

/** The new secret does all that the application may, so only who holds that is given it. */
export const rotateSecret = async (tx: Tx, actor: Actor, id: string): Promise<Made> => {
  const before = await lockRecord(tx, 'applications', 'Application', actor, id, undefined)
  await requireGrant(tx, actor, before)
  const secret = newSecret('mqc')
  const row = await updateRecord(tx, 'applications', actor, before, { secret_hash: sha256(secret) })
  await emit(tx, actor, 'application.changed', row, presentApplication(row))
  return { row, secret }
}

/** Who leaves an organisation leaves its applications, too. */
export const unbindApplications = async (tx: Tx, by: Performer, userId: string): Promise<void> => {
  const { rows } = await sql<ApplicationRow>`update applications
    set user_id = null, updated_by = ${by.user_id}, version = version + 1, changed_on = now()
    where user_id = ${userId}
      and environment_id in (select id from environments where organisation_id = ${by.organisation_id})
    returning *`.execute(tx)
  for (const row of rows) {
    const there = { ...by, environment_id: row.environment_id }
    await emit(tx, there, 'application.changed', row, presentApplication(row))
  }
}

/** The rows of its tokens go with it; they are revoked first, so that the audit log tells of each. */
export const deleteApplication = async (
  tx: Tx,
  actor: Actor,
  id: string,
  expected: Expected,
): Promise<void> => {
  const row = await lockRecord(tx, 'applications', 'Application', actor, id, expected)
  await revokeTokens(tx, actor, sql`(${tokensOf(row)} and expires_on > now())`)
  await deleteRecord(tx, 'applications', actor, row)
  await emit(tx, actor, 'application.deleted', row, presentApplication(row))
}

const tokensOf = (row: ApplicationRow) =>
  sql`(environment_id = ${row.environment_id} and application_id = ${row.id})`

const requireGrant = async (
  tx: Tx,
  actor: Actor,
  grant: Parameters<typeof grantProblems>[2],
): Promise<void> => {
  const problems = await grantProblems(tx, actor, grant)
  if (problems.length > 0) throw new Invalid(problems)
}
