import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/connect.ts'
import type { Actor } from '../../access/authenticate.ts'
import { blankMusic } from './input.ts'
import { artistKind } from './kinds.ts'
import { saveMusic } from './store.ts'

export type FoundArtist = { id: string; body: string; reference: string | null }

/** Artists by their ids and by their references, those of artists that were merged into them among them. */
export const findArtists = async (
  db: Db | Tx,
  environmentId: string,
  ids: string[],
  references: string[],
): Promise<FoundArtist[]> => {
  if (ids.length === 0 && references.length === 0) return []
  const { rows } = await sql<FoundArtist>`
    select id, body, reference_unique as reference from artists
    where environment_id = ${environmentId} and (id = any(${ids}) or reference_unique = any(${references}))
    union all
    select id, body, reference from artist_references link join artists using (environment_id)
    where environment_id = ${environmentId} and artists.id = link.artist_id and reference = any(${references})`.execute(
    db,
  )
  return rows
}

type Wanted = { body: string; reference_unique?: string | null }

/**
 * Artists with these names, whatever their case and accents, in the order given; missing ones are made, as drafts. Who
 * asks for the same name at the same time waits for whoever makes it. Of several the oldest is meant.
 */
export const ensureArtists = async (tx: Tx, actor: Actor, wanted: Wanted[]): Promise<FoundArtist[]> => {
  const names = await namesOf(tx, wanted)
  const keys = [...new Set(names)].sort()
  let found = await byName(tx, actor.environment_id, keys)
  const missing = keys.filter((key) => !found.has(key))
  if (missing.length === 0) return names.map((name) => found.get(name)!)
  await sql`select pg_advisory_xact_lock(hashtextextended('artist ' || ${actor.environment_id} || ' ' || name, 0))
    from unnest(${missing}::text[]) as name order by name`.execute(tx)
  found = await byName(tx, actor.environment_id, keys)
  const now = new Date()
  const made = missing
    .filter((key) => !found.has(key))
    .map((key) => {
      const { body, reference_unique = null } = wanted[names.indexOf(key)]!
      const after = { ...blankMusic(actor, now), body: body.trim(), reference_unique }
      found.set(key, { id: after.id, body: after.body, reference: reference_unique })
      return { before: null, after }
    })
  await saveMusic(tx, actor, artistKind, made)
  return names.map((name) => found.get(name)!)
}

const namesOf = async (tx: Tx, wanted: Wanted[]): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select fold(btrim(body)) as name
    from unnest(${wanted.map(({ body }) => body)}::text[]) with ordinality as sent (body, place) order by place`.execute(
    tx,
  )
  return rows.map(({ name }) => name)
}

const byName = async (tx: Tx, environmentId: string, names: string[]): Promise<Map<string, FoundArtist>> => {
  const { rows } = await sql<FoundArtist & { name: string }>`
    select distinct on (fold(body)) fold(body) as name, id, body, reference_unique as reference from artists
    where environment_id = ${environmentId} and fold(body) = any(${names})
    order by fold(body), created_on, id`.execute(tx)
  return new Map(rows.map(({ name, ...artist }) => [name, artist]))
}
