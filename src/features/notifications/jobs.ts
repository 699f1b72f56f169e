import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/connect.ts'
import { facet } from '../publications/facets.ts'
import { bigints } from '../publications/list/conditions.ts'

/** Persons, and publications of a story, at a time: each statement is short, however many there are. */
const batch = 5000

type Published = { environment_id: string; id: string }

/**
 * Tells those who are subscribed to a publication that it was published, and those who are subscribed to another of
 * its containers. Each person is told once of a publication, so that the work can be begun again.
 */
export const notifySubscribers = async ({ db }: Context, published: Published): Promise<void> => {
  const containers = await containersOf(db, published)
  if (!containers) return
  await tell(db, published, published.id)
  for (let after: string | undefined = ''; after !== undefined; ) {
    const others: string[] = await subscribedIn(db, published, containers, after)
    for (const other of others) await tell(db, published, other)
    after = others.length === batch ? others.at(-1) : undefined
  }
}

/** Undefined: it is not published any more. */
const containersOf = async (db: Db, { environment_id, id }: Published): Promise<string[] | undefined> => {
  const { rows } = await sql<{ container_ids: string[] }>`select container_ids from publications
    where environment_id = ${environment_id} and id = ${id}
      and facets @> ${bigints([facet(environment_id, 'published')])}`.execute(db)
  return rows[0]?.container_ids
}

/** Others of the containers that anybody is subscribed to. */
const subscribedIn = async (
  db: Db,
  { environment_id, id }: Published,
  containers: string[],
  after: string,
): Promise<string[]> => {
  if (containers.length === 0) return []
  const facets = containers.map((container) => facet(environment_id, 'container', container))
  const { rows } = await sql<{ id: string }>`select row.id from publications as row
    where row.environment_id = ${environment_id} and row.facets && ${bigints(facets)} and row.id <> ${id}
      and row.id > ${after} and exists (select 1 from person_links as link
        where link.environment_id = row.environment_id and link.kind = 'Subscribe' and link.publication_id = row.id)
    order by row.id limit ${batch}`.execute(db)
  return rows.map((row) => row.id)
}

/** Tells the subscribers of a publication; whoever wants no messages for a while is not told. */
const tell = async (db: Db, { environment_id, id }: Published, of: string): Promise<void> => {
  for (let after: string | null = '-1'; after !== null; ) {
    const { rows }: { rows: { last: string | null }[] } = await sql<{ last: string | null }>`
      with subscribed as materialized (
        select person_key from person_links where environment_id = ${environment_id} and kind = 'Subscribe'
          and publication_id = ${of} and person_key > ${after}::bigint order by person_key limit ${batch}
      ), told as (
        insert into notifications (environment_id, person_key, publication_id)
        select ${environment_id}, person.key, ${id} from subscribed
        join persons as person on person.environment_id = ${environment_id} and person.key = subscribed.person_key
        where person.exclude_until is null or person.exclude_until <= now()
        on conflict do nothing
      )
      select max(person_key)::text as last from subscribed having count(*) = ${batch}`.execute(db)
    after = rows[0]?.last ?? null
  }
}
