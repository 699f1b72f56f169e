import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/connect.ts'
import type { TrackRow } from '../table.ts'
import { bareIsrc } from './kinds.ts'

/** What a track may be named by. */
export type TrackNames = { id?: string | null; reference?: string | null; isrc?: string | null }

export type FoundTrack = Pick<TrackRow, 'id' | 'body' | 'artist_text'>

/** The tracks that some names mean, by a query for each kind of name; of several the oldest. */
export const findTracks = async (
  db: Db | Tx,
  environmentId: string,
  all: readonly TrackNames[],
): Promise<(names: TrackNames) => FoundTrack | undefined> => {
  const ids = all.flatMap(({ id }) => id ?? [])
  const references = all.flatMap(({ reference }) => reference ?? [])
  const isrcs = all.flatMap(({ isrc }) => (isrc ? bareIsrc(isrc) : []))
  const found = new Map<string, FoundTrack>()
  const { rows } =
    ids.length + references.length + isrcs.length === 0
      ? { rows: [] }
      : await sql<FoundTrack & { name: string }>`
    select 'id ' || id as name, id, body, artist_text from tracks
    where environment_id = ${environmentId} and id = any(${ids})
    union all select 'reference ' || reference_unique, id, body, artist_text from tracks
    where environment_id = ${environmentId} and reference_unique = any(${references})
    union all select 'reference ' || reference, id, body, artist_text
    from track_references link join tracks using (environment_id)
    where environment_id = ${environmentId} and tracks.id = link.track_id and reference = any(${references})
    union all (select 'isrc ' || isrc, id, body, artist_text from track_isrcs link join tracks using (environment_id)
    where environment_id = ${environmentId} and tracks.id = link.track_id and isrc = any(${isrcs})
    order by created_on, id)`.execute(db)
  for (const { name, ...track } of rows) if (!found.has(name)) found.set(name, track)
  return ({ id, reference, isrc }) =>
    found.get(`id ${id}`) ?? found.get(`reference ${reference}`) ?? found.get(`isrc ${bareIsrc(isrc ?? '')}`)
}
