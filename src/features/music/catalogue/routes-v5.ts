import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connect.ts'
import { type ListRequest, listPage } from '../../../database/page.ts'
import { findRecord } from '../../../database/records.ts'
import { NotFound } from '../../../errors.ts'
import { recordRoutes } from '../../../http/records.ts'
import type { App, Routes } from '../../../http/types.ts'
import type { Actor } from '../../access/authenticate.ts'
import { assetFromUrl } from '../../assets/intake.ts'
import type { ArtistRow, TrackRow } from '../table.ts'
import { changeMusic, createMusic, deleteMusic } from './commands.ts'
import { coverLimits } from './covers.ts'
import { musicExpansions } from './expansions.ts'
import { artistList, trackList } from './filters.ts'
import { coverUrl } from './input.ts'
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

/** A cover that is named by its address is fetched before anything is written, outside of any transaction. */
const fetchCovers = (app: App, context: Context): void => {
  app.addHook('preHandler', async ({ body, actor, method }: FastifyRequest) => {
    const sent = method === 'POST' || method === 'PUT' ? (body as MusicBody | null) : null
    const url = coverUrl(sent?.cover)
    if (!url) return
    const { id } = await assetFromUrl(context, actor, url, coverLimits)
    sent!.cover = { id }
  })
}

export const catalogueRoutes: Routes = (app, context) => {
  const expansions = musicExpansions(context)
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
      create: { scopes: write, body: ArtistBody, run: createMusic(artistKind) as never },
      change: { scopes: write, body: ArtistChanges, run: changeMusic(artistKind) as never },
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
      create: { scopes: write, body: TrackBody, run: createMusic(trackKind) as never },
      change: { scopes: write, body: TrackChanges, run: changeMusic(trackKind) as never },
      remove: { scopes: write, run: deleteMusic(trackKind) },
    })
  })
}
