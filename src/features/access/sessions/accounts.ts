import type { Db } from '../../../database/connect.ts'
import type { Actor } from '../authenticate.ts'
import type { UserRow } from '../table.ts'

/** Somebody who can sign in. Persons will stand beside users here. */
export type Account = { kind: 'user'; row: UserRow }

/** Who an email address means; with a token only those of its organisation. */
export const findAccount = async (
  db: Db,
  email: string,
  actor: Actor | undefined,
): Promise<Account | undefined> => {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', email.trim().toLowerCase()))
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
