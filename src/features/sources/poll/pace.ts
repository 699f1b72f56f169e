const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** An interval that is learned lies between these, in seconds. */
const shortest = 5 * minute
const longest = 6 * hour
/** A source that fails is left alone for no longer than this. */
const patience = day
/** What falls due together must not do so again. */
const spread = 0.1

const within = (seconds: number, from: number, to: number): number =>
  Math.round(Math.min(to, Math.max(from, seconds)))

/** Two polls for an item, so that one is seen when it is half as old as the next; undated ones by trial. */
export const learnedInterval = (perDay: number | null, interval: number, isNew: boolean): number => {
  const wanted = perDay === null ? interval * (isNew ? 0.5 : 1.5) : day / (2 * Math.max(perDay, 0.01))
  return within(wanted, shortest, longest)
}

/** While nothing comes it is asked less often, up to a tenth of the time that it has been silent for. */
export const slackened = (interval: number, silentMs: number): number =>
  within(Math.max(interval, silentMs / 1000 / 10), interval, Math.max(interval, longest))

export const frequencyOf = (perDay: number | null, interval: number): number =>
  Math.round(perDay ?? day / (2 * interval))

/** Seconds to the next poll; longer each time that one fails, and never sooner than the source asks for. */
export const delayAfter = (
  interval: number,
  failed: number,
  askedFor = 0,
  chance = Math.random(),
): number => {
  const backedOff =
    failed === 0 ? interval : Math.min(patience, Math.max(interval, minute) * 2 ** Math.min(failed, 12))
  const spreadOut = backedOff * (1 + spread * (2 * chance - 1))
  return Math.max(spreadOut, Math.min(askedFor, patience) * (1 + spread * chance))
}
