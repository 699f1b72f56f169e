import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import { timeZone } from '../../../time-zones.ts'
import type { Actor } from '../../access/authenticate.ts'
import { facet } from '../../publications/facets.ts'
import { isShown, seesAll } from '../catalogue/visible.ts'
import type { TimelineRow, TrackRow } from '../table.ts'
import { boundsOf } from './day.ts'
import { longest } from './schema.ts'

type Entry = Pick<TimelineRow, 'id' | 'body' | 'track_id'> & { start: number; end: number }
/** What was done in a second, in epoch seconds. */
type Done = { second: number; label: string; count: number }
type Counted = { entry: Entry; minute: number; label: string; count: number }
type Played = Pick<TrackRow, 'id' | 'body' | 'artist_text'>

/**
 * What listeners did while something was on air: interactions with publications of the channel, by the minute and by
 * what had begun last. Each is counted once, also where entries overlap.
 */
export const onAirMoments = async (db: Db, actor: Actor, channelId: string, date: string) => {
  const [entries, done] = await Promise.all([
    readEntries(db, actor, channelId, date),
    readDone(db, actor, channelId, date),
  ])
  const counted = during(entries, done)
  const tracks = await tracksOf(db, actor, counted)
  const { shownAt } = timeZone(actor.environment.time_zone)
  const track = (id: string | null) => tracks.get(id ?? '') ?? null
  const moments = Map.groupBy(counted, ({ entry, minute }) => `${minute} ${entry.id}`)
  const played = Map.groupBy(counted, ({ entry }) => track(entry.track_id)?.id ?? entry.body)
  return {
    items: [...moments.values()].map((some) => {
      const { entry, minute } = some[0]!
      return {
        minute: shownAt(minute * 1000).slice(0, 16),
        published_on: minute,
        timeline: { id: entry.id, body: entry.body },
        track: track(entry.track_id),
        ...sums(some),
      }
    }),
    tracks: [...played.values()]
      .map((some) => ({ track: track(some[0]!.entry.track_id), body: some[0]!.entry.body, ...sums(some) }))
      .sort((a, b) => b.total - a.total),
    total: counted.reduce((sum, { count }) => sum + count, 0),
  }
}

const sums = (some: Counted[]) => {
  const interactions: Record<string, number> = {}
  for (const { label, count } of some) interactions[label] = (interactions[label] ?? 0) + count
  return { total: some.reduce((sum, { count }) => sum + count, 0), interactions }
}

/** Both in the order of time. What has begun last lies on top; once it is over it never comes back. */
const during = (entries: Entry[], done: Done[]): Counted[] => {
  const running: Entry[] = []
  let next = 0
  return done.flatMap(({ second, label, count }) => {
    while (next < entries.length && entries[next]!.start <= second) running.push(entries[next++]!)
    while (running.length > 0 && running.at(-1)!.end <= second) running.pop()
    const entry = running.at(-1)
    return entry ? [{ entry, minute: second - (second % 60), label, count }] : []
  })
}

const epoch = (name: string) => sql`extract(epoch from ${sql.ref(name)})::double precision`

const readEntries = async (db: Db, actor: Actor, channelId: string, date: string): Promise<Entry[]> => {
  const { from, until } = boundsOf(actor, date)
  const { rows } = await sql<Entry>`select id, body, track_id, ${epoch('published_on')} as start,
      ${epoch('unpublish_on')} as "end" from timelines
    where environment_id = ${actor.environment_id} and channel_id = ${channelId}
      and published_on > ${new Date(from.getTime() - longest * 1000)} and published_on < ${until}
      and unpublish_on > ${from} order by published_on, id`.execute(db)
  return rows
}

/** Interactions of a day are found by a small index of times, and come by the second. */
const readDone = async (db: Db, actor: Actor, channelId: string, date: string): Promise<Done[]> => {
  const { environment_id } = actor
  const { from, until } = boundsOf(actor, date)
  const channel = facet(environment_id, 'channel', channelId)
  const published = facet(environment_id, 'published')
  const publications = seesAll(actor)
    ? sql`select id from publications where facets @> ${`{${channel}}`}::bigint[]`
    : sql`select id from publication_locales where facets @> ${`{${channel},${published}}`}::bigint[]`
  const { rows } = await sql<Done>`
    select floor(${epoch('created_on')}) as second, label, count(*)::integer as count from interactions
    where environment_id = ${environment_id} and created_on >= ${from} and created_on < ${until}
      and publication_id in (${publications})
    group by 1, 2 order by 1, 2`.execute(db)
  return rows
}

const tracksOf = async (db: Db, actor: Actor, counted: Counted[]): Promise<Map<string, Played>> => {
  const ids = [...new Set(counted.flatMap(({ entry }) => entry.track_id ?? []))]
  if (ids.length === 0) return new Map()
  const { rows } = await sql<TrackRow>`select * from tracks
    where environment_id = ${actor.environment_id} and id = any(${ids})`.execute(db)
  const seen = rows.filter((row) => isShown(actor, row))
  return new Map(seen.map(({ id, body, artist_text }) => [id, { id, body, artist_text }]))
}
