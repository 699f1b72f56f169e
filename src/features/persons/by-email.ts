import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connect.ts'
import type { PersonRow } from './table.ts'

/** As addresses are compared, whoever sends them. */
export const foldEmail = (email: string): string => email.trim().toLowerCase()

/**
 * Whom an address means. Several persons may have it: one that has proved it comes before others, then the one that was
 * there first, so that nobody takes a sign-in over by giving somebody else's address.
 */
export const personByEmail = async (
  db: Db | Tx,
  environmentId: string,
  email: string,
  only = sql`true`,
): Promise<PersonRow | undefined> => {
  const { rows } = await sql<PersonRow>`select person.* from person_emails
    join persons person on person.environment_id = person_emails.environment_id and person.key = person_key
    where person_emails.environment_id = ${environmentId} and person_emails.email = ${email} and ${only}
    order by exists (select 1 from jsonb_array_elements(person.emails) as one
      where lower(one ->> 'email') = ${email} and one -> 'verified' = 'true') desc, key
    limit 1`.execute(db)
  return rows[0]
}
