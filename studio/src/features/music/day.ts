/** Moments in epoch milliseconds, days as 2026-03-29, both in the time zone of the environment. */

const formats = new Map<string, Intl.DateTimeFormat>()
const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  formats.set(timeZone, made)
  return made
}

/** As clocks there show it: 2026-03-29 14:05:00. */
export const shownAt = (moment: number, timeZone: string): string => formatOf(timeZone).format(moment)

export const todayIn = (timeZone: string): string => shownAt(Date.now(), timeZone).slice(0, 10)

export const shifted = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

export const isDay = (date: string | undefined): date is string =>
  date !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(date) && !Number.isNaN(Date.parse(date))

/** Where a day begins; where clocks skip midnight, the first moment after it. */
export const startOf = (date: string, timeZone: string): number => {
  const wanted = Date.parse(`${date}T00:00:00Z`)
  const offset = (moment: number) => Date.parse(`${shownAt(moment, timeZone).replace(' ', 'T')}Z`) - moment
  const first = wanted - offset(wanted)
  return wanted - offset(first)
}

/** 24 hours of it, or 23 or 25 where clocks change. */
export const boundsOf = (date: string, timeZone: string): { from: number; until: number } => ({
  from: startOf(date, timeZone),
  until: startOf(shifted(date, 1), timeZone),
})
