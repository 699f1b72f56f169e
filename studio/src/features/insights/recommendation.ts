import type { Marquee } from 'marquee-sdk'
import { language, t } from '../../texts/index.ts'

export type Recommendation = Marquee.Recommendation
export type Insights = Marquee.RecommendationInsights
export type Kind = Recommendation['type']

/** Those that need no settings and are always there. */
export const builtIn = ['recommended_for_you', 'more_like_this'] as const
export const isBuiltIn = (id: string): boolean => id === 'dummy' || builtIn.includes(id as 'more_like_this')

const percent = (options: Intl.NumberFormatOptions) => (value: number | null | undefined) =>
  value == null ? '–' : new Intl.NumberFormat(language, { style: 'percent', ...options }).format(value)

export const formatRate = percent({ maximumFractionDigits: 2, minimumFractionDigits: 1 })
export const formatLift = percent({ maximumFractionDigits: 1, signDisplay: 'exceptZero' })

type Lifted = Pick<Insights, 'lift' | 'lift_low' | 'lift_high'>

export const liftText = ({ lift, lift_low, lift_high }: Lifted): string =>
  lift === null
    ? t.insights.tooEarly
    : t.insights.lift(formatLift(lift), formatLift(lift_low), formatLift(lift_high))

/** What the interval allows to say, and no more. */
export const verdict = ({
  lift,
  lift_low,
  lift_high,
}: Lifted): 'better' | 'worse' | 'unclear' | 'noComparison' => {
  if (lift === null || lift_low === null || lift_high === null) return 'noComparison'
  if (lift_low > 0) return 'better'
  return lift_high < 0 ? 'worse' : 'unclear'
}
