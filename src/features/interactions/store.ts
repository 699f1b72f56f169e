import { CompiledQuery } from 'kysely'
import type { Db, Tx } from '../../database/connect.ts'
import { executeApart } from '../../database/driver.ts'
import type { Actor } from '../access/authenticate.ts'
import { plain, texts } from './arrays.ts'
import { interactionLabels } from './labels.ts'
import { type Link, tellLinks } from './links.ts'
import type { Received } from './receive.ts'
import type { Resolved } from './resolve.ts'

type NewLink = Link & { environment_id: string }
type Row = { actor: Actor; publicationId: string; key: string; item: Received }

/**
 * Stores a group by one statement: what was not there before is counted, and becomes a delta for each environment.
 * Likes and subscriptions become the state of their persons; new ones are told.
 */
export const store = async (tx: Tx, group: Resolved[]): Promise<void> => {
  const rows = rowsOf(group)
  if (rows.length === 0) return
  const { rows: links } = await tx.executeQuery<NewLink>(CompiledQuery.raw(insert, parametersOf(rows)))
  for (const [environmentId, own] of Map.groupBy(links, ({ environment_id }) => environment_id))
    await tellLinks(
      tx,
      environmentId,
      own.map((link) => ({ ...link, actor: actorOf(rows, link) })),
    )
}

/** Of a group that changes nobody's likes and subscriptions nothing is told, so that its statement is all there is. */
export const storeAlone = async (db: Db, group: Resolved[]): Promise<void> => {
  const rows = rowsOf(group)
  if (rows.length > 0) await executeApart(db, CompiledQuery.raw(insert, parametersOf(rows)))
}

export const linksNothing = (group: Resolved[]): boolean =>
  group.every(({ items }) => items.every(({ label }) => label !== 'Like' && label !== 'Subscribe'))

/** Who asked for it, or for one like it. */
const actorOf = (rows: Row[], link: NewLink): Actor =>
  rows.find(
    ({ actor, key, publicationId, item }) =>
      actor.environment_id === link.environment_id &&
      key === link.person_key &&
      publicationId === link.publication_id &&
      item.label === link.kind,
  )!.actor

/** Those who may be tracked; of a repeated id the first. */
const rowsOf = (group: Resolved[]): Row[] => {
  const seen = new Set<string>()
  const isRepeat = (environmentId: string, { id, isGiven }: Received): boolean => {
    const name = `${environmentId} ${id}`
    return isGiven && seen.size === seen.add(name).size
  }
  return group.flatMap(({ actor, publicationId, items, keys }) =>
    items.flatMap((item, index) => {
      const key = keys[index]!
      return key === null || isRepeat(actor.environment_id, item) ? [] : [{ actor, publicationId, key, item }]
    }),
  )
}

const parametersOf = (rows: Row[]): string[] => [
  texts(rows.map(({ actor }) => actor.environment_id)),
  texts(rows.map(({ item }) => item.id)),
  plain(rows.map(({ item }) => item.isGiven)),
  plain(rows.map(({ item }) => item.createdOn.toISOString())),
  texts(rows.map(({ publicationId }) => publicationId)),
  plain(rows.map(({ key }) => key)),
  plain(rows.map(({ item }) => item.number)),
  plain(rows.map(({ item }) => item.value)),
  texts(rows.map(({ item }) => item.recommendationId)),
]

const names = `('{${interactionLabels}}'::text[])`

/** Ids are claimed in one order, or two groups that repeat each other's would wait for each other. */
const insert = `with sent as (
    select * from unnest($1::text[], $2::text[], $3::boolean[], $4::timestamptz[], $5::text[], $6::bigint[],
      $7::integer[], $8::float8[], $9::text[]) as sent (environment_id, id, given, created_on, publication_id,
      person_key, number, value, recommendation_id)
  ), claimed as (
    insert into interaction_ids (environment_id, id)
    select environment_id, id from sent where given order by environment_id, id
    on conflict do nothing returning environment_id, id
  ), stored as (
    insert into interactions (environment_id, created_on, id, publication_id, person_key, label, value,
      recommendation_id)
    select environment_id, created_on, id, publication_id, person_key, ${names}[number + 1], value, recommendation_id
    from sent where not given or (environment_id, id) in (select environment_id, id from claimed)
    on conflict do nothing returning environment_id, created_on, publication_id, person_key, label
  ), delta as (
    insert into audience_deltas (environment_id, persons, labels, seen, publications)
    select environment_id, array_agg(person_key), array_agg(array_position(${names}, label) - 1),
      array_agg(created_on), array_agg(publication_id)
    from stored group by environment_id
  )
  insert into person_links (environment_id, person_key, kind, publication_id, created_on)
  select environment_id, person_key, label, publication_id, max(created_on) from stored
  where label in ('Like', 'Subscribe') group by environment_id, person_key, label, publication_id
  order by environment_id, person_key, label, publication_id
  on conflict do nothing returning environment_id, person_key, kind, publication_id`
