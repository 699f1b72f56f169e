import { isoDate, isoDateOrNull } from '../../../dates.ts'
import { timeZone } from '../../../time-zones.ts'
import type { TimelineRow } from '../table.ts'

/** A timeline with its moments in milliseconds, as a whole day of them is read. */
export type Brief = {
  id: string
  body: string
  created: number
  changed: number | null
  start: number
  end: number
}

/** As the specification has it: moments in epoch seconds, and as clocks of the environment show them. */
export const presentBrief = ({ time_zone }: { time_zone: string }) => {
  const { shownAt, startOf } = timeZone(time_zone)
  return ({ id, body, created, changed, start, end }: Brief) => {
    const from = shownAt(start)
    const date = from.slice(0, 10)
    return {
      id,
      created_on: isoDate(new Date(created)),
      changed_on: isoDateOrNull(changed === null ? null : new Date(changed)),
      label: 'Timeline' as const,
      body,
      published_on: start / 1000,
      timecode: `${date}:${(start - startOf(date)!) / 1000}`,
      unpublish_on: end / 1000,
      from,
      until: shownAt(end),
    }
  }
}

type Shown = Omit<TimelineRow, 'environment_id' | 'created_by' | 'updated_by' | 'version'>

export const presentTimeline = (environment: { time_zone: string }) => {
  const show = presentBrief(environment)
  return ({ id, body, created_on, changed_on, published_on, unpublish_on }: Shown) =>
    show({
      id,
      body,
      created: created_on.getTime(),
      changed: changed_on?.getTime() ?? null,
      start: published_on.getTime(),
      end: unpublish_on.getTime(),
    })
}
