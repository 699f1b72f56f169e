import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/connect.ts'
import { keepLooking, type Looking } from '../../jobs/looking.ts'

const every = 500
/** Where nobody crossed an edge, the row of an environment need not be written as often. */
const notedEvery = '1 minute'
const personsPerDelta = 500

/**
 * Finds who crossed the edge of a rule by time alone, and hands them on to be looked at like anybody who was changed.
 * A node that sweeps the same environment at the same moment passes it over.
 */
export const startSweeping = ({ db }: Context, onError: (error: unknown) => void): Looking =>
  keepLooking(async () => {
    await sweep(db)
    await addUpTotals(db)
    return every
  }, onError)

/** Of `il` who was created or seen so long ago since the last sweep; of `age` whose birthday came, in either direction. */
export const sweep = (db: Db): Promise<unknown> =>
  db.transaction().execute(async (tx) => {
    // An estimate cannot know how little time lies between two sweeps.
    await sql`select set_config(name, 'off', true)
      from unnest(array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) as name`.execute(tx)
    await sweeping.execute(tx)
  })

const crossed = (column: string) => sql`
  select place.environment_id, facts.person_key from place join edge using (environment_id)
  join person_facts facts on facts.environment_id = place.environment_id
    and ${sql.ref(`facts.${column}`)} >= place.swept_on - edge.back - interval '5 milliseconds'
    and ${sql.ref(`facts.${column}`)} <= place.now - edge.back
  where edge.fact = ${sql.lit(column)}`

/** Who was born on 29 February has a birthday on 1 March of other years. */
const birthdays = sql`
  select place.environment_id, facts.person_key from place
  join lateral (
    select distinct extract(month from day) * 100 + extract(day from day) as number
    from generate_series(least(place.day, place.today) + 1, greatest(place.day, place.today), '1 day') as day
    limit 366
  ) as days on true
  join person_facts facts on facts.environment_id = place.environment_id and facts.date_of_birth is not null
    and extract(month from facts.date_of_birth) * 100 + extract(day from facts.date_of_birth)
      = any(array[days.number, case when days.number = 301 then 229 end])
  where exists (select 1 from edge where edge.environment_id = place.environment_id and edge.fact = 'birthday')`

const sweeping = sql`
  with place as materialized (
    select sweep.environment_id, sweep.swept_on, sweep.day, now() as now,
      (now() at time zone environment.time_zone)::date as today
    from segment_sweeps sweep join environments environment on environment.id = sweep.environment_id
    for update of sweep skip locked
  ), edge as materialized (
    select distinct environment_id, split_part(edge, ' ', 1) as fact,
      make_interval(secs => coalesce(nullif(split_part(edge, ' ', 2), ''), '0')::double precision) as back
    from segments, unnest(edges) as edge where edges <> '{}'
  ), crossing as materialized (
    ${crossed('last_seen')} union ${crossed('created_on')} union ${birthdays}
  ), handed as (
    insert into audience_deltas (environment_id, persons)
    select environment_id, array_agg(person_key) from (
      select *, (row_number() over (partition by environment_id order by person_key) - 1)
        / ${sql.lit(personsPerDelta)} as part from crossing) as numbered
    group by environment_id, part returning environment_id
  )
  update segment_sweeps sweep set swept_on = place.now, day = place.today from place
  where sweep.environment_id = place.environment_id
    and (place.swept_on < place.now - interval '${sql.raw(notedEvery)}' or place.day <> place.today
      or place.environment_id in (select environment_id from handed))`

/**
 * Takes what members added to and took from totals into the totals. A segment that somebody else holds is left for the
 * next time: until then its total is read with what is not added up.
 */
const addUpTotals = (db: Db): Promise<unknown> =>
  sql`with changed as materialized (
      select distinct environment_id, segment_id from (select environment_id, segment_id from segment_changes limit 10000) as next
    ), held as materialized (
      select environment_id, id from segments where (environment_id, id) in (select environment_id, segment_id from changed)
      for no key update skip locked
    ), free as materialized (
      select environment_id, segment_id from changed where (environment_id, segment_id) in (select environment_id, id from held)
        or not exists (select 1 from segments where environment_id = changed.environment_id and id = changed.segment_id)
    ), taken as (
      delete from segment_changes where (environment_id, segment_id, id) in (
        select environment_id, segment_id, id from segment_changes join free using (environment_id, segment_id)
        limit 10000 for update of segment_changes skip locked)
      returning environment_id, segment_id, change
    ), sums as (select environment_id, segment_id, sum(change) as change from taken group by 1, 2)
    update segments set total = total + sums.change from sums
    where segments.environment_id = sums.environment_id and segments.id = sums.segment_id`.execute(db)
