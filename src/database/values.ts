/** One fault found while reading what a caller sent. */
export type Problem = { path: string; message: string }

/** A moment as precise as it was written: a day, a minute, a second or a millisecond, from `from` up to `until`. */
export type Moment = { from: Date; until: Date }

type Reader = (raw: unknown, path: string, problems: Problem[]) => unknown

const reader =
  <T>(expected: string, parse: (raw: string | number | boolean) => T | undefined): Reader =>
  (raw, path, problems) => {
    const simple = typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean'
    const value = simple ? parse(raw) : undefined
    if (value === undefined) problems.push({ path, message: `must be ${expected}` })
    return value
  }

const number = (raw: string | number | boolean): number | undefined => {
  if (typeof raw === 'boolean' || (typeof raw === 'string' && !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(raw)))
    return undefined
  const value = Number(raw)
  return Number.isFinite(value) ? value : undefined
}

const integer = (raw: string | number | boolean): number | undefined => {
  const value = number(raw)
  return value !== undefined && Number.isInteger(value) && Math.abs(value) <= 2_147_483_647
    ? value
    : undefined
}

export const readers = {
  text: reader('a string', (raw) => String(raw)),
  id: reader('an id', (raw) => (String(raw).length <= 200 ? String(raw) : undefined)),
  number: reader('a number', number),
  integer: reader('a whole number', integer),
  boolean: reader('true or false', (raw) =>
    raw === true || raw === 'true' || raw === '1' || raw === 1
      ? true
      : raw === false || raw === 'false' || raw === '0' || raw === 0
        ? false
        : undefined,
  ),
  date: reader('a date: epoch seconds or ISO 8601', (raw) => parseMoment(raw)),
} satisfies Record<string, Reader>

export type ValueType = keyof typeof readers

const day = 86_400_000
const minute = 60_000
const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)? ?(Z|[+-]\d\d:?\d\d)?)?$/i
/** Only behind a time: in `2026-11-01 09:30` the space is one. */
const lostPlus = /^([\d-]{10}[T ][\d:.]{5,}) (\d\d:?\d\d)$/i

/** Epoch seconds or ISO 8601. In a query string the plus of an offset may have become a space. */
export const parseMoment = (raw: string | number | boolean): Moment | undefined => {
  const seconds = integerSeconds(raw)
  if (seconds !== undefined) return moment(seconds * 1000, 1000)
  if (typeof raw !== 'string') return undefined
  const match = iso.exec(raw.replace(lostPlus, '$1+$2'))
  if (!match) return undefined
  const [, year, month, date, hours, minutes, secs, fraction, zone = 'Z'] = match
  // Date.UTC would take the year 99 for 1999.
  const whole = new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(date))
  // A month or a day that does not exist would have become another one.
  if (new Date(whole).toISOString().slice(0, 10) !== `${year}-${month}-${date}` || year === '0000')
    return undefined
  if (hours === undefined) return moment(whole, day)
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(secs ?? 0) > 59) return undefined
  const clock = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(secs ?? 0)) * 1000
  const offset = zone.toUpperCase() === 'Z' ? 0 : offsetOf(zone)
  if (offset === undefined) return undefined
  const milliseconds = fraction ? Number(fraction.padEnd(3, '0').slice(0, 3)) : 0
  return moment(whole + clock - offset + milliseconds, fraction ? 1 : secs ? 1000 : minute)
}

const integerSeconds = (raw: string | number | boolean): number | undefined => {
  if (typeof raw === 'number') return Number.isInteger(raw) ? raw : undefined
  return typeof raw === 'string' && /^-?\d{1,12}$/.test(raw) ? Number(raw) : undefined
}

/** No place on earth is further than 14 hours from UTC. */
const offsetOf = (zone: string): number | undefined => {
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))]
  if (minutes > 59 || hours * 60 + minutes > 14 * 60) return undefined
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes) * minute
}

/** From the year 1 to 9999, which PostgreSQL and ISO 8601 can both write. */
export const isWritable = (milliseconds: number): boolean =>
  milliseconds >= -62_135_596_800_000 && milliseconds < 253_402_300_800_000

/** The epoch seconds that `parseMoment` takes, as a schema says it. */
export const epochSeconds = { minimum: -62_135_596_800, maximum: 253_402_300_798 }

const moment = (start: number, length: number): Moment | undefined =>
  isWritable(start) && isWritable(start + length)
    ? { from: new Date(start), until: new Date(start + length) }
    : undefined
