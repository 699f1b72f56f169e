import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../database/transaction.ts'
import { emit } from '../../../events.ts'
import { liftOf, noSums } from './lift.ts'
import { sumsByDay } from './queries.ts'

const day = 86_400_000
const looked = 28
const kept = 90

type Compared = {
  environment_id: string
  organisation_id: string
  recommendation_id: string
  kpi_label: string | null
  since: Date | null
}

/**
 * Looks at every recommendation that is compared with the dummy; one whose whole interval lies below it gives way.
 * What was shown before its last change was another one's.
 */
export const judgeRecommendations = async (context: Context): Promise<void> => {
  const { rows } = await sql<Compared>`
    select distinct shown.environment_id, organisation_id, shown.recommendation_id, own.kpi_label,
      coalesce(own.changed_on, own.created_on) as since
    from recommendation_impressions shown
    join environments on environments.id = shown.environment_id
    left join recommendations own on own.environment_id = shown.environment_id and own.id = shown.recommendation_id
    where shown.variant = 'control' and shown.created_on > now() - make_interval(days => ${looked})
      and not exists (select 1 from recommendation_fallbacks known
        where known.environment_id = shown.environment_id
          and known.recommendation_id = shown.recommendation_id)`.execute(context.db)
  for (const compared of rows) await judge(context, compared)
}

const judge = async (context: Context, compared: Compared): Promise<void> => {
  const { environment_id, organisation_id, recommendation_id, kpi_label, since } = compared
  const until = new Date()
  const from = new Date(Math.max(until.getTime() - looked * day, since?.getTime() ?? 0))
  const asked = { environmentId: environment_id, recommendationId: recommendation_id, kpiLabel: kpi_label }
  const sums = await sumsByDay(context.db, { ...asked, timeZone: 'UTC', from, until }, false)
  const of = (variant: string) => sums.find((row) => row.variant === variant) ?? noSums
  const lift = liftOf(of('recommended'), of('control'))
  if (!lift || lift.high >= 0) return
  await transaction(context, async (tx) => {
    await sql`insert into recommendation_fallbacks (environment_id, recommendation_id, lift)
      values (${environment_id}, ${recommendation_id}, ${lift.lift}::real) on conflict do nothing`.execute(tx)
    const by = { organisation_id, environment_id, token_id: null, user_id: null }
    const told = { id: recommendation_id, label: 'Recommendation', lift: lift.lift }
    await emit(tx, by, 'recommendation.gave_way', told)
  })
}

/** What was shown is forgotten after a quarter of a year. */
export const pruneImpressions = async ({ db }: Context): Promise<void> => {
  await sql`delete from recommendation_impressions
    where created_on < now() - make_interval(days => ${kept})`.execute(db)
}
