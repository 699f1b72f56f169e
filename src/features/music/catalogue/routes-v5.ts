import type { Context } from '../../../context.ts'
import type { Db, Tx } from '../../../database/connect.ts'
import { type ListRequest, listPage } from '../../../database/page.ts'
import { type Expected, findRecord } from '../../../database/records.ts'
import { NotFound } from '../../../errors.ts'
import { recordRoutes } from '../../../http/records.ts'
import type { App, Routes } from '../../../http/types.ts'
import type { Actor } from '../../access/authenticate.ts'
import type { ArtistRow, TrackRow } from '../table.ts'
import { changeMusic, createMusic, deleteMusic } from './commands.ts'
import { fetchCovers, withCover } from './covers.ts'
import { musicExpansions } from './expansions.ts'
import { artistList, trackList } from './filters.ts'
import { artistKind, type MusicKind, trackKind } from './kinds.ts'
import { presentArtist, presentTrack } from './present.ts'
import {
  Artist,
  ArtistBody,
  ArtistChanges,
  type MusicBody,
  Track,
  TrackBody,
  TrackChanges,
} from './schema.ts'
import { isShown, lastMove, seesAll, shownAt } from './visible.ts'

const read = ['content_items'] as const
const write = ['content_items', 'content_items_publish'] as const

/** Who sees only what is published finds nothing else, by its id or in a list. */
const sight = <Row extends ArtistRow | TrackRow>(kind: MusicKind) => ({
  find: async (db: Db, actor: Actor, id: string): Promise<Row> => {
    const row = await findRecord(db, kind.table, kind.label, actor.environment_id, id)
    if (!isShown(actor, row)) throw new NotFound(kind.label, id)
    return row as unknown as Row
  },
  page: async (context: Context, actor: Actor, request: ListRequest) => {
    const list = kind.table === 'tracks' ? trackList : artistList
    const only = seesAll(actor)
      ? []
      : [shownAt(actor, 'row', await lastMove(context.db, kind, actor.environment_id))]
    return listPage<Row>(context, list, actor.environment_id, request, only)
  },
})

/** Writes of a kind, with covers that are named by their addresses. */
const writes = (context: Context, kind: MusicKind) => ({
  create: async (tx: Tx, actor: Actor, body: MusicBody) =>
    createMusic(kind)(tx, actor, await withCover(context, tx, actor, body)),
  change: async (tx: Tx, actor: Actor, id: string, body: MusicBody, expected: Expected) =>
    changeMusic(kind)(tx, actor, id, await withCover(context, tx, actor, body), expected),
})

export const catalogueRoutes: Routes = (app, context) => {
  const expansions = musicExpansions(context)
  const artists = writes(context, artistKind)
  const tracks = writes(context, trackKind)
  app.register(async (scoped) => {
    const own = scoped as unknown as App
    fetchCovers(own, context)
    recordRoutes(own, context, {
      path: '/artists',
      label: 'Artist',
      record: Artist,
      list: artistList,
      expansions: expansions.artists,
      present: presentArtist,
      ...sight<ArtistRow>(artistKind),
      read,
      create: { scopes: write, body: ArtistBody, run: artists.create as never },
      change: { scopes: write, body: ArtistChanges, run: artists.change as never },
      remove: { scopes: write, run: deleteMusic(artistKind) },
    })
    recordRoutes(own, context, {
      path: '/tracks',
      label: 'Track',
      record: Track,
      list: trackList,
      expansions: expansions.tracks,
      present: presentTrack,
      ...sight<TrackRow>(trackKind),
      read,
      create: { scopes: write, body: TrackBody, run: tracks.create as never },
      change: { scopes: write, body: TrackChanges, run: tracks.change as never },
      remove: { scopes: write, run: deleteMusic(trackKind) },
    })
  })
}
