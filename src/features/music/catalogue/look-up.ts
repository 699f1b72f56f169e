import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/connect.ts'
import type { FieldError } from '../../../errors.ts'
import type { Actor } from '../../access/authenticate.ts'
import { ensureTags } from '../../tags/ensure.ts'
import { ensureArtists, type FoundArtist, findArtists } from './ensure-artists.ts'
import { coverId, type Linked, listed } from './input.ts'
import type { MusicBody } from './schema.ts'

type Named = { id?: string; reference_unique?: string | null; body?: string }

const artistsIn = (body: MusicBody): Named[] | undefined =>
  listed(body.artists)?.map((one) => (typeof one === 'string' ? { body: one } : one))

/** What is known of all that some bodies name, by a query for each kind of thing. */
export type Known = { tags: Set<string>; covers: Set<string>; artists: FoundArtist[] }

export const lookUp = async (
  db: Db | Tx,
  { environment_id }: Actor,
  bodies: readonly MusicBody[],
): Promise<Known> => {
  const artists = bodies.flatMap((body) => artistsIn(body) ?? [])
  return {
    tags: await idsIn(
      db,
      environment_id,
      sql`tags where true`,
      bodies.flatMap((body) => (listed(body.tags) ?? []).flatMap(({ id }) => id ?? [])),
    ),
    covers: await idsIn(
      db,
      environment_id,
      sql`assets where deleted_on is null`,
      bodies.flatMap((body) => coverId(body.cover) ?? []),
    ),
    artists: await findArtists(
      db,
      environment_id,
      artists.flatMap(({ id }) => id ?? []),
      artists.flatMap(({ id, reference_unique }) => (id ? [] : (reference_unique ?? []))),
    ),
  }
}

const idsIn = async (
  db: Db | Tx,
  environmentId: string,
  from: ReturnType<typeof sql>,
  ids: string[],
): Promise<Set<string>> => {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`select id from ${from}
    and environment_id = ${environmentId} and id = any(${[...new Set(ids)]})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** What is wrong with a body that only the database can tell. A cover that is gone since may come back as it was. */
export const bodyFaults = (body: MusicBody, known: Known, coverBefore: string | null): FieldError[] => [
  ...(listed(body.tags) ?? []).flatMap((tag, index) => tagFaults(tag, index, known)),
  ...(artistsIn(body) ?? []).flatMap((artist, index) => artistFaults(artist, index, known)),
  ...coverFaults(body, known, coverBefore),
]

const tagFaults = ({ id, body }: Named, index: number, known: Known): FieldError[] => {
  if (id === undefined && body === undefined)
    return [{ path: `tags.${index}`, message: 'needs an id or a body' }]
  if (id === undefined || known.tags.has(id)) return []
  return [{ path: `tags.${index}.id`, message: 'is not a tag of this environment' }]
}

const artistFaults = (artist: Named, index: number, known: Known): FieldError[] => {
  const { id, reference_unique, body } = artist
  if (!id && !reference_unique && !body?.trim())
    return [{ path: `artists.${index}`, message: 'needs an id, a reference_unique or a body' }]
  const isKnown = (!id && !reference_unique) || findIn(known, artist) !== undefined
  // One that goes by a reference that nobody has yet is made, if it is named.
  if (isKnown || (!id && body?.trim())) return []
  const path = `artists.${index}.${id ? 'id' : 'reference_unique'}`
  return [{ path, message: 'is not an artist of this environment' }]
}

const coverFaults = ({ cover }: MusicBody, known: Known, before: string | null): FieldError[] => {
  if (cover === undefined || cover === null) return []
  const id = coverId(cover)
  if (id === undefined) return [{ path: 'cover', message: 'needs an id or a url' }]
  if (known.covers.has(id) || id === before) return []
  return [{ path: 'cover', message: 'is not an asset of this environment' }]
}

const findIn = ({ artists }: Known, { id, reference_unique }: Named): FoundArtist | undefined =>
  artists.find((one) => (id ? one.id === id : one.reference === reference_unique))

/** What some bodies without faults are linked to; tags and artists that are named and not there are made. */
export const linkAll = async (
  tx: Tx,
  actor: Actor,
  bodies: readonly MusicBody[],
  known: Known,
): Promise<Linked[]> => {
  const tagBodies = bodies.flatMap((body) =>
    (listed(body.tags) ?? []).flatMap(({ id, body }) => (id === undefined ? body! : [])),
  )
  const unknown = bodies.flatMap((body) =>
    (artistsIn(body) ?? [])
      .filter((artist) => !findIn(known, artist))
      .map((artist) => artist as { body: string }),
  )
  const tags = tagBodies.length === 0 ? [] : await ensureTags(tx, actor, tagBodies)
  const made = unknown.length === 0 ? [] : await ensureArtists(tx, actor, unknown)
  const nextTag = tags.values()
  const nextArtist = made.values()
  return bodies.map((body) => {
    const linked: Linked = {}
    const sentTags = listed(body.tags)
    if (sentTags) linked.tags = sentTags.map(({ id }) => id ?? nextTag.next().value!.id)
    const artists = artistsIn(body)
    if (artists) linked.artists = artists.map((artist) => findIn(known, artist) ?? nextArtist.next().value!)
    return linked
  })
}
