import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { emit, type Performer } from '../../../events.ts'
import { newSecret, sha256 } from '../../../secrets.ts'
import type { Place } from '../../persons/sign-in.ts'
import type { Actor } from '../authenticate.ts'
import type { UserRow, UserSessionRow } from '../table.ts'
import { revokeTokens } from '../tokens/commands.ts'
import { sessionSnapshot } from './present.ts'
import { organisationsOf } from './queries.ts'

export const sessionSeconds = 14 * 86_400

type From = Place & { actor: Actor | undefined }

export const openSession = async (tx: Tx, user: UserRow, { actor, ip_address, user_agent }: From) => {
  const secret = newSecret('mqk')
  const row = await tx
    .insertInto('user_sessions')
    .values({
      id: randomUUIDv7(),
      user_id: user.id,
      hash: sha256(secret),
      ip_address,
      user_agent,
      expires_on: new Date(Date.now() + sessionSeconds * 1000),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await sql`update users set last_seen = now() where id = ${user.id}`.execute(tx)
  await tellOrganisations(tx, 'session.created', row, actor)
  return { row, secret }
}

/** Signs out. Studio tokens made from the session stop with it. */
export const endSessions = async (tx: Tx, sessions: UserSessionRow[], by?: Performer): Promise<void> => {
  for (const row of sessions) {
    const gone = await tx
      .deleteFrom('user_sessions')
      .where('id', '=', row.id)
      .returning('id')
      .executeTakeFirst()
    if (gone) await tellOrganisations(tx, 'session.deleted', row, by)
  }
}

/** A user may belong to several organisations, and each has its own audit log. */
const tellOrganisations = async (
  tx: Tx,
  event: 'session.created' | 'session.deleted',
  row: UserSessionRow,
  by: Performer | undefined,
): Promise<void> => {
  for (const organisation_id of await organisationsOf(tx, row.user_id)) {
    const own = by?.organisation_id === organisation_id
    const performer = {
      organisation_id,
      environment_id: null,
      token_id: own ? by.token_id : null,
      user_id: own ? by.user_id : row.user_id,
    }
    if (event === 'session.deleted') await revokeTokens(tx, performer, sql`session_id = ${row.id}`)
    await emit(tx, performer, event, row, sessionSnapshot(row))
  }
}

/** All sessions of a user but one, as after a change of password. */
export const endOtherSessions = async (
  tx: Tx,
  userId: string,
  keep: string | null,
  by: Performer,
): Promise<void> => {
  const sessions = await tx
    .selectFrom('user_sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(keep !== null, (query) => query.where('id', '<>', keep!))
    .execute()
  await endSessions(tx, sessions, by)
}
