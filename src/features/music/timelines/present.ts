import { presentBase } from '../../../http/schemas.ts'
import { timeZone } from '../../../time-zones.ts'
import type { TimelineRow } from '../table.ts'

type Shown = Omit<TimelineRow, 'environment_id' | 'created_by' | 'updated_by' | 'version'>

/** As the specification has it: moments in epoch seconds, and as clocks of the environment show them. */
export const presentTimeline = ({ time_zone }: { time_zone: string }) => {
  const { shownAt, startOf } = timeZone(time_zone)
  return (row: Shown) => {
    const [start, end] = [row.published_on.getTime(), row.unpublish_on.getTime()]
    const from = shownAt(start)
    const date = from.slice(0, 10)
    return {
      ...presentBase('Timeline', row),
      body: row.body,
      published_on: start / 1000,
      timecode: `${date}:${(start - startOf(date)!) / 1000}`,
      unpublish_on: end / 1000,
      from,
      until: shownAt(end),
    }
  }
}
