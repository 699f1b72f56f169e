import { IdParams } from '../../../http/schemas.ts'
import type { Routes } from '../../../http/types.ts'
import { settingsOf } from '../settings.ts'
import { fallbacksOf } from './fallback.ts'
import { added, liftOf, noSums, rateOf, type Sums } from './lift.ts'
import { presentFallback } from './present.ts'
import { anonymousImpressions, type DayRow, sumsByDay } from './queries.ts'
import { InsightsQuery, RecommendationInsights } from './schema.ts'

const day = 86_400_000

export const recommendationInsightRoutes: Routes = (app, context) => {
  app.get(
    '/recommendations/:id/insights',
    {
      config: { scopes: ['recommendations'] },
      schema: {
        summary: 'What came of a recommendation',
        params: IdParams,
        querystring: InsightsQuery,
        response: { 200: RecommendationInsights },
      },
    },
    async ({ actor, params, query }) => {
      const settings = await settingsOf(context, actor, params.id)
      const until = new Date()
      const asked = {
        environmentId: actor.environment_id,
        recommendationId: settings.id,
        kpiLabel: settings.kpi_label,
        timeZone: actor.environment.time_zone,
        from: new Date(until.getTime() - Number(query.days ?? 28) * day),
        until,
      }
      const [days, whole, anonymous, fallbacks] = await Promise.all([
        sumsByDay(context.db, asked),
        sumsByDay(context.db, asked, false),
        anonymousImpressions(context.db, asked),
        fallbacksOf(context.db, actor.environment_id),
      ])
      return {
        recommendation: { id: settings.id },
        ...counted(whole),
        anonymous_impressions: anonymous,
        days: [...Map.groupBy(days, (row) => row.day)].map(([date, rows]) => ({ date, ...counted(rows) })),
        fallback: presentFallback(fallbacks.get(settings.id)),
      }
    },
  )
}

/** Both sides, and what they come to; what was shown while giving way is compared with nothing. */
const counted = (rows: readonly DayRow[]) => {
  const of = (variant: string): Sums => rows.find((row) => row.variant === variant) ?? noSums
  const all = rows.reduce(added, noSums)
  const lift = liftOf(of('recommended'), of('control'))
  return {
    ...side(all),
    recommended: side(of('recommended')),
    control: side(of('control')),
    lift: lift && tidy(lift.lift),
    lift_low: lift && tidy(lift.low),
    lift_high: lift && tidy(lift.high),
  }
}

const side = (sums: Sums) => {
  const rate = rateOf(sums)
  return { impressions: sums.impressions, clicks: sums.clicks, ctr: rate === null ? null : tidy(rate) }
}

const tidy = (value: number): number => Number(value.toPrecision(4))
