import type { Db } from '../../../database/connect.ts'
import { foldEmail, personByEmail } from '../../persons/by-email.ts'
import type { PersonRow } from '../../persons/table.ts'
import type { Actor } from '../authenticate.ts'
import type { UserRow } from '../table.ts'

/** Somebody who can sign in. */
export type Account = { kind: 'user'; row: UserRow } | { kind: 'person'; row: PersonRow }

/**
 * Whom an address may mean, in the order in which they are tried, with an empty place for whoever is not there: as many
 * passwords are verified either way. Without a token users alone; with one those of its organisation and the persons
 * of its environment.
 */
export const findAccounts = async (
  db: Db,
  email: string,
  actor: Actor | undefined,
): Promise<(Account | undefined)[]> => {
  const folded = foldEmail(email)
  if (!actor) return [await findUser(db, folded, actor)]
  return Promise.all([findUser(db, folded, actor), findPerson(db, folded, actor)])
}

const findPerson = async (db: Db, email: string, actor: Actor): Promise<Account | undefined> => {
  const row = await personByEmail(db, actor.environment_id, email, true)
  return row && { kind: 'person', row }
}

const findUser = async (db: Db, email: string, actor: Actor | undefined): Promise<Account | undefined> => {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', email))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('memberships')
          .select('role')
          .whereRef('memberships.user_id', '=', 'users.id')
          .$if(actor !== undefined, (query) => query.where('organisation_id', '=', actor!.organisation_id)),
      ),
    )
    .executeTakeFirst()
  return row && { kind: 'user', row }
}
