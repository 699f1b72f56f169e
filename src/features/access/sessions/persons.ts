import { randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../../../database/connect.ts'
import { emit, type Performer } from '../../../events.ts'
import { newSecret, sha256 } from '../../../secrets.ts'
import { noteSignIn, type Place } from '../../persons/sign-in.ts'
import type { PersonRow, PersonSessionRow } from '../../persons/table.ts'
import { sessionSeconds } from './commands.ts'
import { sessionSnapshot } from './present.ts'

export const openPersonSession = async (
  tx: Tx,
  person: PersonRow,
  by: Performer,
  { ip_address, user_agent }: Place,
): Promise<{ row: PersonSessionRow; secret: string }> => {
  const now = new Date()
  const secret = newSecret('mqk')
  const row = await tx
    .insertInto('person_sessions')
    .values({
      environment_id: person.environment_id,
      id: randomUUIDv7(),
      person_key: person.key,
      hash: sha256(secret),
      ip_address,
      user_agent,
      expires_on: new Date(now.getTime() + sessionSeconds * 1000),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await noteSignIn(tx, person, { ip_address, user_agent }, now)
  await emit(tx, by, 'session.created', row, sessionSnapshot(row))
  return { row, secret }
}

/** Signs a person out; without anybody's token it was the person. */
export const endPersonSession = async (
  tx: Tx,
  { environment_id, id }: PersonSessionRow,
  by: Performer | undefined,
): Promise<void> => {
  const row = await tx
    .deleteFrom('person_sessions')
    .where('environment_id', '=', environment_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!row) return
  const { organisation_id } = await tx
    .selectFrom('environments')
    .select('organisation_id')
    .where('id', '=', environment_id)
    .executeTakeFirstOrThrow()
  const own = by?.environment_id === environment_id ? by : undefined
  const { token_id = null, user_id = null } = own ?? {}
  const performer = { organisation_id, environment_id, token_id, user_id }
  await emit(tx, performer, 'session.deleted', row, sessionSnapshot(row))
}
