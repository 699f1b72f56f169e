import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connect.ts'
import type { Notice } from '../../../jobs/dispatcher.ts'
import { contentAt } from './load.ts'

/** So many publications are looked through by one statement. */
const together = 1000
/** So many are pruned by one. */
const batch = 50

/** Removes the oldest versions where an environment keeps only so many. */
export const pruneVersions = async ({ db }: Context): Promise<void> => {
  const { rows } = await sql<{ id: string; kept: number }>`
    select id, (settings ->> 'versions_kept')::integer as kept from environments
    where settings ? 'versions_kept'`.execute(db)
  for (const { id, kept } of rows) await pruneEnvironment(db, id, kept)
}

const pruneEnvironment = async (db: Db, environmentId: string, kept: number): Promise<void> => {
  for (let last: string | null = ''; last !== null; ) {
    const found: Counted[] = await countVersions(db, environmentId, last)
    const ids = found.filter(({ count }) => Number(count) > kept).map(({ id }) => id)
    for (let from = 0; from < ids.length; from += batch)
      await prune(db, environmentId, ids.slice(from, from + batch), kept)
    // What goes without an event must not stay in remembered totals of the past.
    if (ids.length > 0) await tellAll(db, environmentId)
    last = found.at(-1)?.id ?? null
  }
}

const tellAll = async (db: Db, environmentId: string): Promise<void> => {
  const notice: Notice = { changed: [[environmentId, 'content', null]] }
  await sql`select pg_notify('marquee', ${JSON.stringify(notice)})`.execute(db)
}

type Counted = { id: string; count: string }

/** Behind an id, in its order: from the index alone. */
const countVersions = async (db: Db, environmentId: string, last: string): Promise<Counted[]> => {
  const { rows } = await sql<Counted>`select publication_id as id, count(*) as count from publication_versions
    where environment_id = ${environmentId} and publication_id > ${last}
    group by publication_id order by publication_id limit ${together}`.execute(db)
  return rows
}

/** The oldest version that stays takes in what of its content stood in those that go, by the same statement. */
const prune = async (db: Db, environmentId: string, ids: string[], kept: number): Promise<void> => {
  await sql`with oldest as (
      select id, (select version from publication_versions
        where environment_id = ${environmentId} and publication_id = wanted.id
        order by version desc offset ${kept - 1} limit 1) as version
      from unnest(${ids}::text[]) as wanted (id)
    ), whole as (
      select row.publication_id, row.version, ${contentAt} as items from oldest
      join publication_versions as row on row.environment_id = ${environmentId}
        and row.publication_id = oldest.id and row.version = oldest.version
    ), folded as (
      update publication_versions as row set items = whole.items,
        contents = array(select jsonb_object_keys(whole.items)) from whole
      where row.environment_id = ${environmentId} and row.publication_id = whole.publication_id
        and row.version = whole.version
    )
    delete from publication_versions as row using oldest where row.environment_id = ${environmentId}
      and row.publication_id = oldest.id and row.version < oldest.version`.execute(db)
}
