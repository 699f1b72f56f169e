import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import { transaction } from '../../database/transaction.ts'
import { keepLooking, type Looking } from '../../jobs/looking.ts'
import { refreshMembership } from '../segments/membership.ts'
import { interactionLabels } from './labels.ts'
import { removeOrphans } from './remove.ts'

const lock = 7_236_511
/** Commits of this long share one fold: a publication that everybody looks at is counted once for all of them. */
const every = 200
const mostDeltas = 500
/** Entries of their lists together, so that a backlog is worked off in steps that each end soon. */
const mostEntries = 20_000

/**
 * Brings what was committed into what persons, lists and segments are counted by. Every node with background work has
 * one; the lock lets one in at a time. A delta goes in the transaction that folds it, so that it counts exactly once.
 */
export const startFolder = (context: Context, onError: (error: unknown) => void): Looking =>
  keepLooking(async (isStopped) => {
    while ((await foldBatch(context)) && !isStopped());
    return every
  }, onError)

/** Whether there is more than fits into one. What comes meanwhile waits, so that a fold is worth its commit. */
const foldBatch = (context: Context): Promise<boolean> =>
  transaction(context, async (tx) => {
    const { rows } = await sql<{ mine: boolean; any: boolean }>`
      select pg_try_advisory_xact_lock(${lock}) as mine, exists (select 1 from audience_deltas) as any`.execute(
      tx,
    )
    if (!rows[0]!.mine || !rows[0]!.any) return false
    const touched = await fold(tx)
    for (const { environment_id, persons } of touched) {
      await removeOrphans(tx, environment_id, persons)
      await refreshMembership(tx, environment_id, persons)
    }
    const entries = touched.reduce((sum, one) => sum + one.entries, 0)
    return touched.some(({ deltas }) => deltas === mostDeltas) || entries > mostEntries / 2
  })

type Touched = { environment_id: string; persons: string[]; entries: number; deltas: number }

const fold = async (tx: Tx): Promise<Touched[]> => {
  const { rows } = await sql<Touched>`
    with next as (
      select id, sum(greatest(cardinality(persons), cardinality(publications))) over (order by id) as entries
      from (select * from audience_deltas order by id limit ${mostDeltas}) first
    ), taken as (
      delete from audience_deltas
      where id in (select id from next where entries <= ${mostEntries}) or id = (select min(id) from next)
      returning *
    ), entries as (
      select environment_id, removed, entry.*
      from taken, unnest(persons, labels, seen, publications) as entry (person_key, number, seen, publication_id)
    ), met as (
      select environment_id, person_key, bit_or(1 << number) as labels, max(seen) as seen
      from entries where not removed and number is not null group by environment_id, person_key
    ), remembered as (
      update person_facts fact set labels = fact.labels | met.labels, last_seen = greatest(fact.last_seen, met.seen)
      from met where fact.environment_id = met.environment_id and fact.person_key = met.person_key
        and (fact.labels | met.labels <> fact.labels or fact.last_seen is null or fact.last_seen < met.seen)
    ), counted as (
      insert into publication_counters as known (environment_id, publication_id, label, count)
      select environment_id, publication_id, (${[...interactionLabels]}::text[])[number + 1],
        sum(case when removed then -1 else 1 end)
      from entries where publication_id is not null and number is not null
      group by environment_id, publication_id, number order by environment_id, publication_id, number
      on conflict (environment_id, publication_id, label) do update set count = known.count + excluded.count
    ), touched as (
      insert into recommendation_touched as known (environment_id, publication_id, times)
      select environment_id, publication_id, count(*) from entries where publication_id is not null
      group by environment_id, publication_id order by environment_id, publication_id
      on conflict (environment_id, publication_id) do update set times = known.times + excluded.times
    ), learning as (
      insert into recommendation_learning as known (environment_id, pending)
      select environment_id, count(*) from entries where publication_id is not null group by environment_id
      on conflict (environment_id) do update set pending = known.pending + excluded.pending
    )
    select environment_id, coalesce(array_agg(distinct person_key) filter (where person_key is not null), '{}') as persons,
      count(*)::int as entries, (select count(*)::int from taken) as deltas
    from entries group by environment_id`.execute(tx)
  return rows
}
