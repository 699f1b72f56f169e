import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import { timeZone } from '../../../time-zones.ts'
import type { Actor } from '../../access/authenticate.ts'
import { facet } from '../../publications/facets.ts'
import { isShown, seesAll } from '../catalogue/visible.ts'
import type { TrackRow } from '../table.ts'
import { boundsOf } from './day.ts'

type Counted = {
  id: string
  body: string
  track_id: string | null
  minute: Date
  label: string
  count: number
}

type Played = Pick<TrackRow, 'id' | 'body' | 'artist_text'>

/**
 * What listeners did while something was on air: interactions with publications of the channel, by the minute and by
 * what had begun last. Each is counted once, also where entries overlap.
 */
export const onAirMoments = async (db: Db, actor: Actor, channelId: string, date: string) => {
  const counted = await countMoments(db, actor, channelId, date)
  const tracks = await tracksOf(db, actor, counted)
  const { shownAt } = timeZone(actor.environment.time_zone)
  const track = (id: string | null) => tracks.get(id ?? '') ?? null
  const moments = Map.groupBy(counted, ({ id, minute }) => `${minute.getTime()} ${id}`)
  const played = Map.groupBy(counted, ({ track_id, body }) => (track(track_id) ? track_id! : body))
  return {
    items: [...moments.values()].map((some) => {
      const { id, body, track_id, minute } = some[0]!
      return {
        minute: shownAt(minute.getTime()).slice(0, 16),
        published_on: minute.getTime() / 1000,
        timeline: { id, body },
        track: track(track_id),
        ...sums(some),
      }
    }),
    tracks: [...played.values()]
      .map((some) => ({ track: track(some[0]!.track_id), body: some[0]!.body, ...sums(some) }))
      .sort((a, b) => b.total - a.total),
    total: counted.reduce((sum, { count }) => sum + count, 0),
  }
}

const sums = (some: Counted[]) => {
  const interactions: Record<string, number> = {}
  for (const { label, count } of some) interactions[label] = (interactions[label] ?? 0) + count
  return { total: some.reduce((sum, { count }) => sum + count, 0), interactions }
}

const countMoments = async (db: Db, actor: Actor, channelId: string, date: string): Promise<Counted[]> => {
  const { environment_id } = actor
  const { from, until } = boundsOf(actor, date)
  const channel = facet(environment_id, 'channel', channelId)
  const published = facet(environment_id, 'published')
  const publications = seesAll(actor)
    ? sql`select id from publications where facets @> ${`{${channel}}`}::bigint[]`
    : sql`select id from publication_locales where facets @> ${`{${channel},${published}}`}::bigint[]`
  // Interactions of the day are found first, by a small index of times; then what was on air, by the moment.
  const { rows } = await sql<Counted>`
    with done as materialized (
      select created_on, label from interactions
      where environment_id = ${environment_id} and created_on >= ${from} and created_on < ${until}
        and publication_id in (${publications})
    ), minutes as materialized (
      select date_trunc('second', created_on) as second, label, count(*)::integer as count from done group by 1, 2
    )
    select played.id, played.body, played.track_id, date_trunc('minute', second) as minute, label,
      sum(minutes.count)::integer as count
    from minutes cross join lateral (
      select id, body, track_id, unpublish_on from timelines
      where environment_id = ${environment_id} and channel_id = ${channelId} and published_on <= second
        and published_on > second - interval '24 hours' and unpublish_on > second
      order by published_on desc, id desc limit 1) as played
    group by 1, 2, 3, 4, 5 order by 4, 1, 5`.execute(db)
  return rows
}

const tracksOf = async (db: Db, actor: Actor, counted: Counted[]): Promise<Map<string, Played>> => {
  const ids = [...new Set(counted.flatMap(({ track_id }) => track_id ?? []))]
  if (ids.length === 0) return new Map()
  const { rows } = await sql<TrackRow>`select * from tracks
    where environment_id = ${actor.environment_id} and id = any(${ids})`.execute(db)
  const seen = rows.filter((row) => isShown(actor, row))
  return new Map(seen.map(({ id, body, artist_text }) => [id, { id, body, artist_text }]))
}
