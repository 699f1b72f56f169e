import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import { transaction } from '../../database/transaction.ts'
import { keepLooking, type Looking } from '../../jobs/looking.ts'
import { refreshMembership } from '../segments/membership.ts'
import { followMerged } from './follow.ts'
import { interactionLabels } from './labels.ts'
import { removeOrphans } from './remove.ts'

const lock = 7_236_511
/** Commits of this long share one fold: a publication that everybody looks at is counted once for all of them. */
const every = 200
const mostDeltas = 500
/** Entries of their lists together, so that a backlog is worked off in steps that each end soon. */
const mostEntries = 20_000

/** After a fault an environment is left alone for so long, and twice as long after the next. */
const firstPause = 1000
const longestPause = 60_000

/**
 * Brings what was committed into what persons, lists and segments are counted by. Every node with background work has
 * one; a lock lets one into an environment at a time. A delta goes in the transaction that folds it, so that it counts
 * exactly once. Environments take turns, a batch each, and one whose batch fails does not stop the others.
 */
export const startFolder = (context: Context, onError: (error: unknown) => void): Looking => {
  const paused = new Map<string, { until: number; pause: number }>()

  const foldPatiently = async (environmentId: string): Promise<boolean> => {
    try {
      const isMore = await foldBatch(context, environmentId)
      paused.delete(environmentId)
      return isMore
    } catch (error) {
      onError(error)
      const pause = Math.min((paused.get(environmentId)?.pause ?? firstPause / 2) * 2, longestPause)
      paused.set(environmentId, { until: Date.now() + pause, pause })
      return false
    }
  }
  const foldAll = async (isStopped: () => boolean): Promise<boolean> => {
    let isMore = false
    for (const id of await environmentsWaiting(context))
      if (!isStopped() && (paused.get(id)?.until ?? 0) <= Date.now())
        isMore = (await foldPatiently(id)) || isMore
    return isMore
  }
  return keepLooking(async (isStopped) => {
    while ((await foldAll(isStopped)) && !isStopped());
    return every
  }, onError)
}

/** From one environment to the next by the primary key, however much waits in each. */
const environmentsWaiting = async ({ db }: Context): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with recursive waiting as (
      select min(environment_id) as id from audience_deltas
      union all
      select (select min(environment_id) from audience_deltas where environment_id > waiting.id) from waiting
      where waiting.id is not null
    ) select id from waiting where id is not null`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whether there is more than fits into one. What comes meanwhile waits, so that a fold is worth its commit. */
const foldBatch = (context: Context, environmentId: string): Promise<boolean> =>
  transaction(context, async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(${lock}, hashtext(${environmentId})) as mine`.execute(tx)
    if (!rows[0]!.mine) return false
    const { persons, entries, deltas } = await fold(tx, environmentId)
    const { kept, isMore } = await followMerged(tx, environmentId, persons)
    const areOrphansLeft = await removeOrphans(tx, environmentId, persons)
    await refreshMembership(tx, environmentId, [...new Set([...persons, ...kept])])
    return isMore || areOrphansLeft || deltas === mostDeltas || entries > mostEntries / 2
  })

type Touched = { persons: string[]; entries: number; deltas: number }

const fold = async (tx: Tx, environmentId: string): Promise<Touched> => {
  const { rows } = await sql<Touched>`
    with next as (
      select id, sum(greatest(cardinality(persons), cardinality(publications))) over (order by id) as entries
      from (select * from audience_deltas where environment_id = ${environmentId} order by id limit ${mostDeltas}) first
    ), taken as (
      delete from audience_deltas where environment_id = ${environmentId}
        and (id in (select id from next where entries <= ${mostEntries}) or id = (select min(id) from next))
      returning *
    ), entries as (
      select removed, entry.*
      from taken, unnest(persons, labels, seen, publications) as entry (person_key, number, seen, publication_id)
    ), met as (
      select person_key, bit_or(1 << number) as labels, max(seen) as seen
      from entries where not removed and number is not null group by person_key
    ), remembered as (
      update person_facts fact set labels = fact.labels | met.labels, last_seen = greatest(fact.last_seen, met.seen)
      from met where fact.environment_id = ${environmentId} and fact.person_key = met.person_key
        and (fact.labels | met.labels <> fact.labels or fact.last_seen is null or fact.last_seen < met.seen)
    ), counted as (
      insert into publication_counters as known (environment_id, publication_id, label, count)
      select ${environmentId}, publication_id, (${[...interactionLabels]}::text[])[number + 1],
        sum(case when removed then -1 else 1 end)
      from entries where publication_id is not null and number is not null
      group by publication_id, number order by publication_id, number
      on conflict (environment_id, publication_id, label) do update set count = known.count + excluded.count
    ), touched as (
      insert into recommendation_touched as known (environment_id, publication_id, times)
      select ${environmentId}, publication_id, count(*) from entries where publication_id is not null
      group by publication_id order by publication_id
      on conflict (environment_id, publication_id) do update set times = known.times + excluded.times
    ), learning as (
      insert into recommendation_learning as known (environment_id, pending)
      select ${environmentId}, count(*) from entries where publication_id is not null having count(*) > 0
      on conflict (environment_id) do update set pending = known.pending + excluded.pending
    )
    select coalesce(array_agg(distinct person_key) filter (where person_key is not null), '{}') as persons,
      count(*)::int as entries, (select count(*)::int from taken) as deltas
    from entries`.execute(tx)
  return rows[0]!
}
