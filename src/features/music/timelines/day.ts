import { hash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connect.ts'
import type { Condition } from '../../../database/filters.ts'
import { invalid } from '../../../errors.ts'
import { timeZone } from '../../../time-zones.ts'
import type { Actor } from '../../access/authenticate.ts'
import type { TimelineRow } from '../table.ts'
import { type Brief, presentBrief } from './present.ts'

type Asked = { date: string; channel_id?: string }

export const inChannel = (channelId: string | undefined): Condition =>
  channelId === undefined ? sql`true` : sql`channel_id = ${channelId}`

/** From the first moment of a day to the first of the next, where the environment is: 23 to 25 hours, mostly. */
export const boundsOf = ({ environment }: Actor, date: string): { from: Date; until: Date } => {
  const zone = timeZone(environment.time_zone)
  const [from, until] = [zone.startOf(date), zone.endOf(date)]
  if (from === undefined || until === undefined) throw invalid('date', 'must be a day such as 2026-03-29')
  return { from: new Date(from), until: new Date(until) }
}

const onDay = (actor: Actor, { date, channel_id }: Asked) => {
  const { from, until } = boundsOf(actor, date)
  return sql`timelines where environment_id = ${actor.environment_id} and ${inChannel(channel_id)}
    and published_on >= ${from} and published_on < ${until} order by published_on, id`
}

/** What begins on a day, in the order of the day. */
export const readDay = async (db: Db, actor: Actor, asked: Asked): Promise<TimelineRow[]> => {
  const { rows } = await sql<TimelineRow>`select * from ${onDay(actor, asked)}`.execute(db)
  return rows
}

/** The same in brief: of 20,000 rows the driver takes longer to read the dates than everything else. */
const readBrief = async (db: Db, actor: Actor, asked: Asked): Promise<Brief[]> => {
  const time = (name: string) => sql`(extract(epoch from ${sql.ref(name)}) * 1000)::double precision`
  const { rows } =
    await sql<Brief>`select id, body, ${time('created_on')} as created, ${time('changed_on')} as changed,
    ${time('published_on')} as start, ${time('unpublish_on')} as "end" from ${onDay(actor, asked)}`.execute(
      db,
    )
  return rows
}

type Body = { text: Buffer; etag: string; stamp: string }

/** Bytes of finished days that a process keeps: a day of 20,000 has 5 MB. */
const room = 50_000_000

/**
 * Days as they are sent, until something of the environment's music changes. To read and write out 20,000 entries takes
 * a tenth of a second, and most ask for today. Those who ask at once share the work.
 */
export const keptDays = ({ db, remember }: Context) => {
  const days = new LRUCache<string, Body>({ maxSize: room, sizeCalculation: ({ text }) => text.length + 500 })
  const working = new Map<string, Promise<Body>>()

  const write = async (actor: Actor, asked: Asked, stamp: string): Promise<Body> => {
    const rows = await readBrief(db, actor, asked)
    const items = rows.map(presentBrief(actor.environment))
    const text = Buffer.from(JSON.stringify({ items, total: items.length }))
    return { text, etag: `"${hash('sha256', text, 'base64url').slice(0, 22)}"`, stamp }
  }
  return async (actor: Actor, asked: Asked): Promise<Body> => {
    const { environment_id, environment } = actor
    const stamp = await remember(environment_id, 'music', 'days', async () => randomUUID())
    const key = JSON.stringify([environment_id, environment.time_zone, asked.date, asked.channel_id])
    const known = days.get(key)
    if (known?.stamp === stamp) return known
    const name = `${stamp} ${key}`
    const begun = working.get(name)
    if (begun) return begun
    const work = write(actor, asked, stamp).finally(() => working.delete(name))
    working.set(name, work)
    const body = await work
    days.set(key, body)
    return body
  }
}
