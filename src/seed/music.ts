import { sql } from 'kysely'
import type { Tx } from '../database/connect.ts'
import type { Actor } from '../features/access/authenticate.ts'
import { createMusic } from '../features/music/catalogue/commands.ts'
import { artistKind, trackKind } from '../features/music/catalogue/kinds.ts'
import type { MusicBody } from '../features/music/catalogue/schema.ts'
import { createTimeline } from '../features/music/timelines/commands.ts'
import { timeZone } from '../time-zones.ts'

/** Bands and songs of nobody; seconds are how long a song plays. */
const songs: [title: string, artists: string[], tag: string, seconds: number][] = [
  ['Night Ferry', ['The Night Ferries'], 'Indie', 214],
  ['Low Water', ['The Night Ferries', 'Quayside Brass'], 'Jazz', 251],
  ['Pilot Light', ['Lock Keepers'], 'Electronic', 198],
  ['Container Blues', ['Quayside Brass'], 'Jazz', 305],
  ['Salt on the Window', ['The Pier Lamps'], 'Indie', 187],
  ['Tide Table', ['Lock Keepers'], 'Electronic', 240],
  ['Last Tram to Harbour', ['The Pier Lamps'], 'Indie', 222],
  ['Foghorn Waltz', ['Harbour Sinfonietta'], 'Classical', 341],
]

const body = ([title, artists, tag, seconds]: (typeof songs)[number], index: number): MusicBody => ({
  body: title,
  artists,
  status: 'published',
  reference_unique: `harbour-${index + 1}`,
  tags: [{ body: tag }],
  streamtracks: [
    { id: `stream-${index + 1}`, isrc: `NLH0126${String(index + 1).padStart(5, '0')}`, duration: seconds },
  ],
})

export const songCount = songs.length

/** Songs with their artists, and two hours of them on the radio around now. */
export const seedMusic = async (tx: Tx, actor: Actor): Promise<number> => {
  const { rows: there } = await sql<{ reference_unique: string }>`select reference_unique from tracks
    where environment_id = ${actor.environment_id} and reference_unique like 'harbour-%'`.execute(tx)
  if (there.length > 0) return 0
  const artists = [...new Set(songs.flatMap(([, names]) => names))]
  for (const name of artists) await createMusic(artistKind)(tx, actor, { body: name, status: 'published' })
  const ids: string[] = []
  for (const [index, song] of songs.entries())
    ids.push((await createMusic(trackKind)(tx, actor, body(song, index))).id)
  await playSongs(tx, actor, ids)
  return songs.length
}

const playSongs = async (tx: Tx, actor: Actor, ids: string[]): Promise<void> => {
  const { rows } = await sql<{ id: string }>`select id from channels
    where environment_id = ${actor.environment_id} and slug = 'harbour-fm'`.execute(tx)
  const { startOf, shownAt } = timeZone(actor.environment.time_zone)
  const hour = 3600
  const today = startOf(shownAt(Date.now()).slice(0, 10))! / 1000
  let at = Math.max(today, Math.floor(Date.now() / 1000) - hour)
  for (let played = 0; at < Date.now() / 1000 + hour; played += 1) {
    const duration = songs[played % songs.length]![3]
    const entry = {
      channel_id: rows[0]?.id ?? null,
      track_id: ids[played % ids.length]!,
      published_on: at,
      duration,
    }
    await createTimeline(tx, actor, entry)
    at += duration + 10
  }
}
