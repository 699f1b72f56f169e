import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { conflict, invalid } from '../../../errors.ts'
import { listed } from '../catalogue/input.ts'
import { bareIsrc, isrcsOf, type Music, type MusicKind } from '../catalogue/kinds.ts'
import type { MusicBody, ProviderBody } from '../catalogue/schema.ts'
import { loadMusic } from '../catalogue/store.ts'

export const artistMatches = ['id', 'reference_unique', 'body'] as const
export const trackMatches = ['id', 'reference_unique', 'isrc'] as const
type MatchBy = (typeof artistMatches)[number] | (typeof trackMatches)[number]

/** What a row calls its record. */
export type Names = Record<MatchBy, string[]>
export type RowBody = MusicBody & { id?: string }

export const namesOf = (row: RowBody, match: string | null): Names => ({
  id: row.id === undefined ? [] : [row.id],
  reference_unique: row.reference_unique ? [row.reference_unique] : [],
  // Several may share these, so they tell records apart only where the caller says that they do.
  isrc: match === 'isrc' ? isrcsIn(row) : [],
  body: match === 'body' && row.body ? [folded(row.body)] : [],
})

const isrcsIn = (row: RowBody): string[] =>
  (listed(row.streamtracks as ProviderBody[] | undefined) ?? []).flatMap(({ isrc }) =>
    isrc ? bareIsrc(String(isrc)) : [],
  )

const folded = (body: string): string =>
  body
    .trim()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

export const allNames = (names: Names): string[] =>
  Object.entries(names).flatMap(([kind, some]) => some.map((name) => `${kind} ${name}`))

/** Records by each of their names; the references of those that were merged into them are theirs, too. */
export type Known = Map<string, Music[]>

export const findKnown = async (
  tx: Tx,
  kind: MusicKind,
  environmentId: string,
  all: Names[],
): Promise<Known> => {
  const namesBy = (name: MatchBy) => [...new Set(all.flatMap((names) => names[name]))]
  const [ids, references, isrcs, bodies] = (['id', 'reference_unique', 'isrc', 'body'] as const).map(namesBy)
  const merged = await mergedInto(tx, kind, environmentId, references!)
  const byIsrc = sql`row.id in (select track_id from track_isrcs
    where environment_id = ${environmentId} and isrc = any(${isrcs}))`
  const wanted = sql`(row.id = any(${[...ids!, ...merged.values()]}) or row.reference_unique = any(${references})
    ${isrcs!.length > 0 ? sql`or ${byIsrc}` : sql``} ${bodies!.length > 0 ? sql`or fold(row.body) = any(${bodies})` : sql``})`
  const found = await loadMusic(tx, kind, environmentId, wanted, true)
  const known: Known = new Map()
  for (const music of found)
    for (const name of ownNames(music, merged)) known.set(name, [...(known.get(name) ?? []), music])
  return known
}

const ownNames = (music: Music, merged: Map<string, string>): string[] => [
  `id ${music.id}`,
  `reference_unique ${music.reference_unique}`,
  `body ${folded(music.body)}`,
  ...(music.streamtracks ? isrcsOf(music).map((isrc) => `isrc ${isrc}`) : []),
  ...[...merged].flatMap(([reference, id]) => (id === music.id ? [`reference_unique ${reference}`] : [])),
]

const mergedInto = async (
  tx: Tx,
  { references, key }: MusicKind,
  environmentId: string,
  wanted: string[],
): Promise<Map<string, string>> => {
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<{ reference: string; id: string }>`select reference, ${sql.ref(key)} as id
    from ${sql.table(references)} where environment_id = ${environmentId} and reference = any(${wanted})`.execute(
    tx,
  )
  return new Map(rows.map(({ reference, id }) => [reference, id]))
}

/** Which record a row means; null if there is none yet. Throws where that cannot be told. */
export const targetOf = (
  { label }: MusicKind,
  names: Names,
  known: Known,
  match: string | null,
): Music | null => {
  const field = match === 'isrc' ? 'streamtracks' : match
  if (match && names[match as MatchBy].length === 0)
    throw invalid(field!, 'is needed, because rows are matched by it')
  const [id] = names.id
  const named = id === undefined ? undefined : known.get(`id ${id}`)?.[0]
  if (id !== undefined && !named)
    throw invalid('id', `is not that of ${label === 'Artist' ? 'an artist' : 'a track'}`)
  const tried = match ? [match as MatchBy] : (['reference_unique', 'id'] as const)
  for (const kind of tried) {
    const found = new Set(names[kind].flatMap((name) => known.get(`${kind} ${name}`) ?? []))
    const [first, ...others] = found
    if (others.length > 0) throw conflict(field ?? kind, `is that of several ${label.toLowerCase()}s`)
    if (first && named && first !== named) throw conflict('id', 'is not that of the record that was found')
    if (first) return first
  }
  return named ?? null
}
