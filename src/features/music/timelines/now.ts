import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import type { Actor } from '../../access/authenticate.ts'
import type { TimelineRow } from '../table.ts'
import { inChannel } from './day.ts'
import { longest } from './schema.ts'

type OnAir = { now: TimelineRow | undefined; next: TimelineRow | undefined; seconds: number }

/** So long an answer may be kept although the plan can change meanwhile. */
const mostSeconds = 10

/** What is on air, of several what began last, and what begins next. */
export const onAir = async (
  db: Db,
  { environment_id }: Actor,
  channelId: string | undefined,
  moment = new Date(),
): Promise<OnAir> => {
  const within = sql`environment_id = ${environment_id} and ${inChannel(channelId)}`
  const { rows } = await sql<TimelineRow & { place: string }>`
    (select *, 'now' as place from timelines where ${within} and published_on <= ${moment}
      and published_on > ${new Date(moment.getTime() - longest * 1000)} and unpublish_on > ${moment}
      order by published_on desc, id desc limit 1)
    union all
    (select *, 'next' as place from timelines where ${within} and published_on > ${moment}
      order by published_on, id limit 1)`.execute(db)
  const [now, next] = ['now', 'next'].map((place) => rows.find((row) => row.place === place))
  return { now, next, seconds: secondsLeft(moment, [now?.unpublish_on, next?.published_on]) }
}

/** Whole seconds until it is something else; a cache that goes by them never tells what is over. */
const secondsLeft = (moment: Date, ends: (Date | undefined)[]): number => {
  const left = ends.map((end) => (end ? Math.floor((end.getTime() - moment.getTime()) / 1000) : mostSeconds))
  return Math.max(0, Math.min(mostSeconds, ...left))
}
