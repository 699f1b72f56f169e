import { type RawBuilder, sql } from 'kysely'

/**
 * Letters of the mailbox to any of these addresses. What outside ASCII is lower case the database and the service do not
 * agree on, so that an address counts as it was written, too.
 */
export const isLetterTo = (environmentId: string, addresses: string[]): RawBuilder<unknown> => {
  const known = [...addresses, ...addresses.map((address) => address.toLowerCase())]
  return sql`environment_id = ${environmentId} and (recipient = any(${known}::text[])
    or lower(recipient) = any(array(select lower(address) from unnest(${known}::text[]) as address)))`
}
