/** Sums over the persons of one variant: of clicks and impressions, their squares and their product. */
export type Sums = {
  persons: number
  impressions: number
  clicks: number
  impressions2: number
  clicks2: number
  product: number
}

export const noSums: Sums = { persons: 0, impressions: 0, clicks: 0, impressions2: 0, clicks2: 0, product: 0 }

export type Lift = { lift: number; low: number; high: number }

/** Two standard errors, less a little: 95 of a hundred. */
const z = 1.96

/**
 * By how much recommending raises the rate over the dummy, with its 95% interval. What one person does in several
 * answers hangs together, so persons are what varies: the variance of a ratio of their sums (delta method). A ratio of
 * ratios is compared on the logarithm, where its interval is even.
 */
export const liftOf = (recommended: Sums, control: Sums): Lift | null => {
  const rate = rateOf(recommended)
  const reference = rateOf(control)
  if (rate === null || reference === null || rate === 0 || reference === 0) return null
  if (recommended.persons < 2 || control.persons < 2) return null
  const error = Math.sqrt(variance(recommended) / rate ** 2 + variance(control) / reference ** 2)
  const log = Math.log(rate / reference)
  return { lift: Math.exp(log) - 1, low: Math.exp(log - z * error) - 1, high: Math.exp(log + z * error) - 1 }
}

export const rateOf = ({ clicks, impressions }: Sums): number | null =>
  impressions === 0 ? null : clicks / impressions

const variance = ({ persons, impressions, clicks, impressions2, clicks2, product }: Sums): number => {
  const rate = clicks / impressions
  const spread = clicks2 - 2 * rate * product + rate ** 2 * impressions2
  return (Math.max(0, spread) * persons) / (persons - 1) / impressions ** 2
}

export const added = (one: Sums, other: Sums): Sums => ({
  persons: one.persons + other.persons,
  impressions: one.impressions + other.impressions,
  clicks: one.clicks + other.clicks,
  impressions2: one.impressions2 + other.impressions2,
  clicks2: one.clicks2 + other.clicks2,
  product: one.product + other.product,
})
