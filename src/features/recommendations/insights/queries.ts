import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/connect.ts'
import type { Variant } from '../predict/control.ts'
import type { Sums } from './lift.ts'

export type DayRow = Sums & { day: string; variant: Variant }

type Asked = {
  environmentId: string
  recommendationId: string
  kpiLabel: string | null
  timeZone: string
  from: Date
  until: Date
}

/** A click belongs to the last answer that showed the publication to the person, within a day of it. */
const within = '1 day'

/**
 * Per day and variant, summed person by person. `day` is that of the answer, in the environment's time zone; without
 * days the whole span is one, so that a person counts once.
 */
export const sumsByDay = async (db: Db | Tx, asked: Asked, byDay = true): Promise<DayRow[]> => {
  const { environmentId, recommendationId, kpiLabel, timeZone, from, until } = asked
  const day = byDay ? sql`(shown.created_on at time zone ${timeZone})::date::text` : sql`''::text`
  const { rows } = await sql<DayRow>`
    with clicks as (
      select shown.id, count(*) as clicks from interactions click
      cross join lateral (
        select id from recommendation_impressions shown
        where shown.environment_id = ${environmentId} and shown.recommendation_id = ${recommendationId}
          and shown.person_key = click.person_key and shown.created_on <= click.created_on
          and shown.created_on > click.created_on - ${within}::interval
          and click.publication_id = any(shown.publications)
        order by created_on desc limit 1) shown
      where click.environment_id = ${environmentId} and click.recommendation_id = ${recommendationId}
        and click.created_on >= ${from} and click.created_on < ${until}::timestamptz + ${within}::interval
        and (${kpiLabel}::text is null or click.label = ${kpiLabel})
      group by shown.id
    ), persons as (
      select ${day} as day, shown.variant, shown.person_key, sum(cardinality(shown.publications)) as impressions,
        sum(least(coalesce(clicks.clicks, 0), cardinality(shown.publications))) as clicks
      from recommendation_impressions shown left join clicks on clicks.id = shown.id
      where shown.environment_id = ${environmentId} and shown.recommendation_id = ${recommendationId}
        and shown.person_key is not null and shown.created_on >= ${from} and shown.created_on < ${until}
      group by 1, 2, 3
    )
    select day, variant, count(*)::float8 as persons, sum(impressions)::float8 as impressions,
      sum(clicks)::float8 as clicks, sum(impressions * impressions)::float8 as impressions2,
      sum(clicks * clicks)::float8 as clicks2, sum(impressions * clicks)::float8 as product
    from persons group by day, variant order by day, variant`.execute(db)
  return rows
}

/** Answers to visitors without a name: what became of them is not known. */
export const anonymousImpressions = async (db: Db, asked: Asked): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(cardinality(publications)), 0)::float8 as count from recommendation_impressions
    where environment_id = ${asked.environmentId} and recommendation_id = ${asked.recommendationId}
      and person_key is null and created_on >= ${asked.from} and created_on < ${asked.until}`.execute(db)
  return rows[0]!.count
}
