import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connect.ts'
import { faultsOf } from '../../../errors.ts'
import { checkSelection, column, type Expansion, type Expansions, present } from '../../../http/expand.ts'
import type { Selection } from '../../../http/fields.ts'
import type { Actor } from '../../access/authenticate.ts'
import { commonExpansions } from '../../access/expansions.ts'
import { assetExpansions } from '../../assets/expansions.ts'
import { presentAsset } from '../../assets/present.ts'
import { Asset } from '../../assets/schema.ts'
import type { AssetRow } from '../../assets/table.ts'
import { presentTag } from '../../tags/present.ts'
import type { TagRow } from '../../tags/table.ts'
import type { ArtistRow, TrackRow } from '../table.ts'
import { artistKind, type MusicKind, type ProviderName, trackKind } from './kinds.ts'
import { presentArtist, presentProviders, presentTrack } from './present.ts'
import { Artist, manyOf, providerSchema, Tags, Track } from './schema.ts'
import { isShown, shownAt } from './visible.ts'

/** So many of those that belong to a record are shown with it; a list with a filter has them all. */
const mostShown = 100

/** What braces name of a record whose own expansions have seen to what is inside of them. */
const chosen = (record: object, inner: Selection): object =>
  inner.size === 0
    ? record
    : Object.fromEntries(Object.entries(record).filter(([name]) => name === 'id' || inner.has(name)))

const provider = <Row extends { [K in Name]: ArtistRow['musicdbartists'] }, Name extends ProviderName>(
  name: Name,
): Expansion<Row> => ({
  schema: providerSchema(name),
  inner: ['total', 'items'],
  load: async () => (row) => presentProviders(name, row[name]),
})

const tags = <Row extends { id: string }>({ tags: table, key }: MusicKind): Expansion<Row> => ({
  schema: Tags,
  inner: ['total', 'items'],
  load: async (db, { environment_id }, rows) => {
    const found = await sql<TagRow & { owner: string }>`select tags.*, link.${sql.ref(key)} as owner
      from ${sql.table(table)} link join tags on tags.environment_id = link.environment_id and tags.id = link.tag_id
      where link.environment_id = ${environment_id} and link.${sql.ref(key)} = any(${rows.map(({ id }) => id)})
      order by lower(tags.body), tags.id`.execute(db)
    const byOwner = Map.groupBy(found.rows, ({ owner }) => owner)
    return ({ id }) => {
      const items = byOwner.get(id) ?? []
      return { total: items.length, items: items.map(presentTag) }
    }
  },
})

/** Null where the asset is gone. */
const cover = <Row extends { cover_id: string | null }>(context: Context): Expansion<Row> => {
  const expansions = assetExpansions(context)
  return {
    schema: Type.Unsafe<object | null>({ type: ['object', 'null'], additionalProperties: true }),
    inner: (selection) => faultsOf(() => checkSelection(selection, expansions as never, Asset)),
    selects: true,
    load: async (db, actor, rows, inner) => {
      const ids = rows.flatMap(({ cover_id }) => cover_id ?? [])
      const { rows: found } = await sql<AssetRow>`select * from assets
        where environment_id = ${actor.environment_id} and id = any(${ids}) and deleted_on is null`.execute(
        db,
      )
      const shown = await present(db, actor, found, presentAsset, expansions, inner)
      const byId = new Map(found.map(({ id }, index) => [id, chosen(shown[index]!, inner)]))
      return ({ cover_id }) => byId.get(cover_id ?? '') ?? null
    },
  }
}

type Found<Row> = Row & { owner: string; total: string }

/** The others of an artist or a track that the reader may see, each page by one query. */
const others = async <Row>(
  db: Db,
  actor: Actor,
  owner: MusicKind,
  other: MusicKind,
  ids: string[],
): Promise<Found<Row>[]> => {
  const order =
    other.table === 'artists' ? sql`link.place, other.id` : sql`other.published_on desc, other.id desc`
  const { rows } = await sql<Found<Row>>`select * from (
      select other.*, link.${sql.ref(owner.key)} as owner,
        count(*) over (partition by link.${sql.ref(owner.key)}) as total,
        row_number() over (partition by link.${sql.ref(owner.key)} order by ${order}) as number
      from artist_tracks link join ${sql.table(other.table)} other
        on other.environment_id = link.environment_id and other.id = link.${sql.ref(other.key)}
      where link.environment_id = ${actor.environment_id} and link.${sql.ref(owner.key)} = any(${ids})
        and ${shownAt(actor, 'other', new Date())}) as found
    where number <= ${sql.lit(mostShown)} order by owner, number`.execute(db)
  return rows
}

const linked = <Row extends { id: string }, Other>(
  owner: MusicKind,
  other: MusicKind,
  record: typeof Artist,
  toBody: (row: Other) => object,
  /** Each shows the other, so neither is there before the other. */
  expansionsOf: () => Expansions<Other>,
): Expansion<Row> => ({
  schema: manyOf(other.label),
  inner: (selection) => faultsOf(() => checkSelection(selection, expansionsOf() as never, record)),
  selects: true,
  load: async (db, actor, rows, inner: Selection) => {
    const ids = rows.map(({ id }) => id)
    const found = await others<Other>(db, actor, owner, other, ids)
    const shown = await present(db, actor, found, toBody, expansionsOf(), inner)
    const items = found.map((row, index) => ({ ...row, body: chosen(shown[index]!, inner) }))
    const byOwner = Map.groupBy(items, (row) => row.owner)
    return ({ id }) => {
      const own = byOwner.get(id) ?? []
      return { total: Number(own[0]?.total ?? 0), items: own.map(({ body }) => body) }
    }
  },
})

const custom = Type.Array(Type.String())

export const musicExpansions = (context: Context) => {
  const artists: Expansions<ArtistRow> = {
    ...commonExpansions,
    custom: column('custom', custom),
    tracks: linked<ArtistRow, TrackRow>(artistKind, trackKind, Track as never, presentTrack, () => tracks),
    musicdbartists: provider('musicdbartists'),
    cover: cover(context),
    tags: tags(artistKind),
  }
  const tracks: Expansions<TrackRow> = {
    ...commonExpansions,
    custom: column('custom', custom),
    artists: linked<TrackRow, ArtistRow>(trackKind, artistKind, Artist, presentArtist, () => artists),
    musicdbtracks: provider('musicdbtracks'),
    streamtracks: provider('streamtracks'),
    storetracks: provider('storetracks'),
    cover: cover(context),
    tags: tags(trackKind),
  }
  return { artists, tracks }
}

/** Tracks as other records show them; undefined where the reader does not see one. */
export const tracksShown = async (
  context: Context,
  db: Db,
  actor: Actor,
  ids: string[],
  inner: Selection,
): Promise<Map<string, object>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<TrackRow>`select * from tracks
    where environment_id = ${actor.environment_id} and id = any(${[...new Set(ids)]})`.execute(db)
  const seen = rows.filter((row) => isShown(actor, row))
  const shown = await present(db, actor, seen, presentTrack, musicExpansions(context).tracks, inner)
  return new Map(seen.map(({ id }, index) => [id, chosen(shown[index]!, inner)]))
}
