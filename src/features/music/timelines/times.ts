import { parseMoment } from '../../../database/values.ts'
import type { FieldError } from '../../../errors.ts'
import { type TimeZone, timeZone } from '../../../time-zones.ts'
import type { TimelineRow } from '../table.ts'
import { presentTimeline } from './present.ts'
import { longest, type TimelineBody } from './schema.ts'

type Times = Pick<TimelineRow, 'published_on' | 'unpublish_on'>
type Shown = ReturnType<ReturnType<typeof presentTimeline>>

/** A field, with the moments that it may mean: clocks that are put back show an hour twice. */
type Said = { path: string; moments: number[] }

type Reading = { zone: TimeZone; faults: FieldError[] }

/**
 * When something begins and ends, said in any of the ways there are. What a read showed and comes back says nothing; what
 * is left must agree. Of an hour that clocks show twice the first is meant that is not before `notBefore`.
 */
export const readTimes = (
  { time_zone }: { time_zone: string },
  sent: TimelineBody,
  before: TimelineRow | undefined,
  faults: FieldError[],
  notBefore = Number.NEGATIVE_INFINITY,
): Times | undefined => {
  const reading: Reading = { zone: timeZone(time_zone), faults }
  const shown = before && presentTimeline({ time_zone })(before)
  const known = faults.length
  const start = agreed(reading, () => startsIn(reading, sent, shown), before?.published_on, notBefore, {
    path: 'published_on',
    message: 'is needed, or timecode or from',
  })
  const end = agreed(
    reading,
    () => endsIn(reading, sent, shown, start ?? 0),
    before?.unpublish_on,
    (start ?? 0) + 1,
    { path: 'unpublish_on', message: 'is needed, or until or duration' },
  )
  if (start === undefined || end === undefined || faults.length > known) return undefined
  const path = (['until', 'duration'] as const).find((name) => sent[name] !== undefined) ?? 'unpublish_on'
  if (end <= start) faults.push({ path, message: 'must be later than the beginning' })
  else if (end - start > longest * 1000) faults.push({ path, message: 'must be at most 24 hours later' })
  return faults.length > known ? undefined : { published_on: new Date(start), unpublish_on: new Date(end) }
}

const startsIn = (reading: Reading, sent: TimelineBody, shown: Shown | undefined): Said[] => [
  ...momentIn(reading, 'published_on', sent.published_on, shown?.published_on),
  ...timecodeIn(reading, sent.timecode, shown?.timecode),
  ...clockIn(reading, 'from', sent.from, shown?.from),
]

const endsIn = (reading: Reading, sent: TimelineBody, shown: Shown | undefined, start: number): Said[] => [
  ...momentIn(reading, 'unpublish_on', sent.unpublish_on, shown?.unpublish_on),
  ...clockIn(reading, 'until', sent.until, shown?.until),
  ...(sent.duration === undefined ? [] : [{ path: 'duration', moments: [start + sent.duration * 1000] }]),
]

/** What could be stored and shown: years of four digits, not before 1970. */
const isUsable = (time: number): boolean => time >= 0 && time < 253_370_764_800_000

const momentIn = (
  { faults }: Reading,
  path: string,
  sent: string | number | undefined,
  shown: number | undefined,
): Said[] => {
  if (sent === undefined) return []
  const time = Math.floor(parseMoment(sent)!.from.getTime() / 1000) * 1000
  if (time / 1000 === shown) return []
  if (!isUsable(time)) faults.push({ path, message: 'must be from 1970 to 9998' })
  return [{ path, moments: [time] }]
}

const timecodeIn = (
  { zone, faults }: Reading,
  sent: string | undefined,
  shown: string | undefined,
): Said[] => {
  if (sent === undefined || sent === shown) return []
  const [date, seconds] = sent.split(':') as [string, string]
  const [start, end] = [zone.startOf(date), zone.endOf(date)]
  const time = (start ?? Number.NaN) + Number(seconds) * 1000
  if (end !== undefined && time < end && isUsable(time)) return [{ path: 'timecode', moments: [time] }]
  faults.push({ path: 'timecode', message: 'must be a day and a second of it, such as 2026-03-29:50700' })
  return []
}

const clockIn = (
  { zone, faults }: Reading,
  path: string,
  sent: string | undefined,
  shown: string | undefined,
): Said[] => {
  if (sent === undefined || sent.replace('T', ' ') === shown) return []
  const moments = zone.momentsOf(sent)?.filter(isUsable)
  if (moments?.length) return [{ path, moments }]
  const message = moments
    ? 'does not exist: clocks are put forward over it'
    : 'must be a time such as 2026-03-29 14:05:00'
  faults.push({ path, message })
  return []
}

const agreed = (
  { faults }: Reading,
  read: () => Said[],
  before: Date | undefined,
  notBefore: number,
  missing: FieldError,
): number | undefined => {
  const known = faults.length
  const [first, ...others] = read()
  if (!first) {
    if (!before && faults.length === known) faults.push(missing)
    return before?.getTime()
  }
  const meant = first.moments.filter((time) => others.every(({ moments }) => moments.includes(time)))
  if (meant.length === 0)
    faults.push({ path: others[0]!.path, message: `says another moment than ${first.path}` })
  return meant.find((time) => time >= notBefore) ?? meant[0]
}
