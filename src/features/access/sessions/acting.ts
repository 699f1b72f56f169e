import type { Db, Tx } from '../../../database/connect.ts'
import { invalid } from '../../../errors.ts'
import { personBySession } from '../../persons/sessions.ts'
import type { Actor } from '../authenticate.ts'
import { organisationsOf, sessionBySecret } from './queries.ts'

/** Who acts through a request: a user, a person, or nobody but the token. */
export type Acting = { user_id: string | null; person_key: string | null }

/** The one whose session it is; without a session the user that the token is bound to. */
export const actingBy = async (
  db: Db | Tx,
  actor: Actor,
  secret: string | null | undefined,
): Promise<Acting> => {
  if (secret == null) return { user_id: actor.user_id, person_key: null }
  const person = await personBySession(db, actor.environment_id, secret)
  if (person) return { user_id: null, person_key: person.key }
  const session = await sessionBySecret(db, secret)
  const organisations = session ? await organisationsOf(db, session.user_id) : []
  if (!organisations.includes(actor.organisation_id)) throw invalid('session_hash', 'is not an open session')
  return { user_id: session!.user_id, person_key: null }
}

/** For what only users do; undefined where the token is bound to none and no session is shown. */
export const actingUser = async (
  db: Db | Tx,
  actor: Actor,
  secret: string | null | undefined,
): Promise<string | undefined> => {
  const { user_id } = await actingBy(db, actor, secret)
  if (user_id === null && secret != null) throw invalid('session_hash', 'is not an open session of a user')
  return user_id ?? undefined
}
