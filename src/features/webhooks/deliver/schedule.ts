const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Milliseconds before each attempt, counted from the one before it: ten attempts in about 75 hours. */
export const delays = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** So that what failed together does not come back together. */
const jitter = 0.1

/** Milliseconds to the next attempt after so many; undefined when that was the last. */
export const delayAfter = (attempts: number, chance = Math.random()): number | undefined => {
  const delay = delays[attempts]
  return delay === undefined ? undefined : Math.round(delay * (1 + jitter * (2 * chance - 1)))
}
