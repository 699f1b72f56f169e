import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connect.ts'
import type { PersonRow } from './table.ts'

/** As addresses are compared, whoever sends them. */
export const foldEmail = (email: string): string => email.trim().toLowerCase()

/**
 * Whom an address means. Several persons may have it: one that has proved it comes before others, then the one that was
 * there first, so that nobody takes a sign-in over by giving somebody else's address. However many have it, an index
 * has the one in front.
 */
export const personByEmail = async (
  db: Db | Tx,
  environmentId: string,
  email: string,
  withPassword = false,
): Promise<PersonRow | undefined> => {
  const { rows } = await sql<PersonRow>`select person.* from person_emails
    join persons person on person.environment_id = person_emails.environment_id and person.key = person_key
    where person_emails.environment_id = ${environmentId} and person_emails.email = ${email}
      and ${withPassword ? sql`has_password` : sql`true`}
    order by verified desc, person_key limit 1`.execute(db)
  return rows[0]
}
