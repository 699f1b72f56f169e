import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { checkVersion, type Expected } from '../../../database/records.ts'
import { type FieldError, Invalid, NotFound } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import type { Actor } from '../../access/authenticate.ts'
import type { ProviderRecord } from '../table.ts'
import type { Music, MusicKind } from './kinds.ts'
import { presentMusic } from './present.ts'
import { loadMusic, saveMusic } from './store.ts'

/** Makes one record of several: what the others have fills what this one lacks, and what names them names this one. */
export const mergeMusic = async (
  tx: Tx,
  kind: MusicKind,
  actor: Actor,
  id: string,
  otherIds: readonly string[],
  expected?: Expected,
): Promise<Music> => {
  const wanted = [id, ...otherIds]
  const found = await loadMusic(tx, kind, actor.environment_id, sql`row.id = any(${wanted})`, true)
  const kept = found.find((one) => one.id === id)
  if (!kept) throw new NotFound(kind.label, id)
  checkVersion(kind.label, kept, expected)
  const faults = otherFaults(kind, id, otherIds, found)
  if (faults.length > 0) throw new Invalid(faults)
  const others = otherIds.map((other) => found.find((one) => one.id === other)!)
  await moveLinks(tx, kind, actor, kept, others)
  const [saved] = await saveMusic(tx, actor, kind, [{ before: kept, after: mergedMusic(kind, kept, others) }])
  for (const other of others) await emit(tx, actor, `${kind.event}.deleted`, other, presentMusic(kind)(other))
  return saved!
}

const otherFaults = (kind: MusicKind, id: string, others: readonly string[], found: Music[]): FieldError[] =>
  others.flatMap((other, index) => {
    const path = `${kind.table}.${index}.id`
    if (other === id) return [{ path, message: 'is the record itself' }]
    if (others.indexOf(other) !== index) return [{ path, message: 'is named twice' }]
    if (found.some((one) => one.id === other)) return []
    return [
      { path, message: `is not ${kind.label === 'Artist' ? 'an artist' : 'a track'} of this environment` },
    ]
  })

/** Links that fall with the others are made anew first; their references lead to this one from now on. */
const moveLinks = async (
  tx: Tx,
  kind: MusicKind,
  { environment_id }: Actor,
  { id }: Music,
  others: Music[],
): Promise<void> => {
  const ids = others.map((other) => other.id)
  const key = sql.ref(kind.key)
  const references = sql.table(kind.references)
  if (kind.table === 'tracks')
    await sql`update timelines set track_id = ${id}
      where environment_id = ${environment_id} and track_id = any(${ids})`.execute(tx)
  else
    await sql`insert into artist_tracks (environment_id, artist_id, track_id, place)
      select environment_id, ${id}, track_id, min(place) from artist_tracks
      where environment_id = ${environment_id} and artist_id = any(${ids}) group by environment_id, track_id
      on conflict do nothing`.execute(tx)
  await sql`update ${references} set ${key} = ${id}
    where environment_id = ${environment_id} and ${key} = any(${ids})`.execute(tx)
  await sql`delete from ${sql.table(kind.table)}
    where environment_id = ${environment_id} and id = any(${ids})`.execute(tx)
  await sql`insert into ${references} (environment_id, reference, ${key})
    select ${environment_id}, reference, ${id}
    from unnest(${others.flatMap(({ reference_unique }) => reference_unique ?? [])}::text[]) as reference
    on conflict (environment_id, reference) do update set ${key} = excluded.${key}`.execute(tx)
}

const mergedMusic = (kind: MusicKind, kept: Music, others: Music[]): Music => {
  const first = <K extends keyof Music>(name: K): Music[K] =>
    [kept, ...others].map((one) => one[name]).find(Boolean) ?? kept[name]
  const union = (lists: string[][]): string[] => [...new Set(lists.flat())]
  const all = [kept, ...others]
  const providers = kind.providers.map((name) => [name, distinct(all.flatMap((one) => one[name]))])
  return {
    ...kept,
    ...Object.fromEntries(providers),
    ...(kind.table === 'tracks' && { artist_text: first('artist_text') }),
    reference_unique: first('reference_unique'),
    cover_id: first('cover_id'),
    custom: union(all.map(({ custom }) => custom)),
    tags: union(all.map(({ tags }) => tags)).sort(),
    artists: union(all.map(({ artists }) => artists)),
  }
}

const distinct = (records: ProviderRecord[]): ProviderRecord[] =>
  [...new Map(records.toReversed().map((one) => [one.id, one])).values()].reverse()
