const second = 1000
const day = 86_400_000
/** Nobody changes clocks at another minute than this, since the last zones gave up their own seconds in 1972. */
const quarter = 900_000
const lastOddSeconds = 100_000_000_000
const mostKnown = 20_000

const wall = /^(\d{4}-\d\d-\d\d)[ T](\d\d):(\d\d):(\d\d)$/

/** A day such as 2026-03-29 as if it were one of UTC; undefined where the calendar has none. */
const dayOf = (date: string): number | undefined => {
  const time = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  return new Date(time || 0).toISOString().startsWith(date) ? time : undefined
}

/** How clocks of a zone are read. Times are milliseconds since 1970; what clocks show is text without a zone. */
export const timeZone = (name: string) => {
  const known = zones.get(name)
  if (known) return known
  const made = openZone(name)
  if (zones.size >= 1000) zones.clear()
  zones.set(name, made)
  return made
}
const zones = new Map<string, TimeZone>()
export type TimeZone = ReturnType<typeof openZone>

const openZone = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const offsets = new Map<number, number>()
  const starts = new Map<string, number>()

  const look = (time: number): number => {
    const parts = Object.fromEntries(
      format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
    )
    const shown = Date.UTC(
      parts.year!,
      parts.month! - 1,
      parts.day!,
      parts.hour!,
      parts.minute!,
      parts.second!,
    )
    return shown - Math.floor(time / second) * second
  }
  /** How far clocks are ahead of UTC. Asking Intl each time took 3 µs of a row; a day of 20,000 has 96 quarters. */
  const offsetAt = (time: number): number => {
    if (time < lastOddSeconds) return look(time)
    const key = Math.floor(time / quarter)
    const before = offsets.get(key)
    if (before !== undefined) return before
    if (offsets.size >= mostKnown) offsets.clear()
    const offset = look(time)
    offsets.set(key, offset)
    return offset
  }
  /** When clocks show this: never where they are put forward over it, twice where they are put back. */
  const timesOf = (shown: number): number[] => {
    const around = new Set([offsetAt(shown - day), offsetAt(shown + day)])
    return [...around]
      .map((offset) => ({ offset, time: shown - offset }))
      .filter(({ offset, time }) => offsetAt(time) === offset)
      .map(({ time }) => time)
      .sort((a, b) => a - b)
  }
  /** Where clocks are put forward over midnight, the day begins with that. */
  const firstAfter = (shown: number): number => {
    let [from, to] = [shown - offsetAt(shown + day), shown - offsetAt(shown - day)]
    const after = offsetAt(to)
    while (to - from > 1) {
      const middle = Math.floor((from + to) / 2)
      if (offsetAt(middle) === after) to = middle
      else from = middle
    }
    return to
  }
  /** When a day begins; undefined where the calendar has no such day. */
  const startOf = (date: string): number | undefined => {
    const before = starts.get(date)
    if (before !== undefined) return before
    const shown = dayOf(date)
    if (shown === undefined) return undefined
    const start = timesOf(shown)[0] ?? firstAfter(shown)
    if (starts.size >= mostKnown) starts.clear()
    starts.set(date, start)
    return start
  }

  return {
    startOf,
    /** When the day after begins. */
    endOf: (date: string): number | undefined => {
      const shown = dayOf(date)
      return shown === undefined ? undefined : startOf(new Date(shown + day).toISOString().slice(0, 10))
    },
    /** `2026-03-29 03:00:00` */
    shownAt: (time: number): string =>
      new Date(time + offsetAt(time)).toISOString().slice(0, 19).replace('T', ' '),
    /** When clocks show `2026-03-29 03:00:00`; undefined where that is no time at all. */
    momentsOf: (text: string): number[] | undefined => {
      const [, date, hours, minutes, seconds] = wall.exec(text) ?? []
      const start = date === undefined ? undefined : dayOf(date)
      if (start === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59)
        return undefined
      return timesOf(start + ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * second)
    },
  }
}
