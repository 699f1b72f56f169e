import { Type } from 'typebox'
import type { Routes } from '../../../http/types.ts'
import { importRoutes } from '../../imports/routes-kind.ts'
import { ArtistImportBody, Status, TrackImportBody } from '../catalogue/schema.ts'
import { TimelineImportBody } from '../timelines/schema.ts'
import { artistMatches, trackMatches } from './match.ts'
import { timesInOrder } from './timelines.ts'

const scopes = {
  read: ['content_items'],
  write: ['content_items', 'content_items_publish'],
} as const
const matched = 'What a record is found by. Without it: by reference_unique where a row has one, then by id'

/** Catalogues and playout logs as files. */
export const musicImportRoutes: Routes = (app, context) => {
  importRoutes(app, context, {
    name: 'artists',
    path: '/artists',
    upload: '/artists/bulk/import',
    ...scopes,
    body: ArtistImportBody,
    matches: artistMatches,
    matched,
    defaults: { status: Status },
    examples: {
      csv: 'reference_unique,body,tags\na-1,The Night Ferries,Jazz;Live\n',
      ndjson: '{"reference_unique":"a-1","body":"The Night Ferries","tags":[{"body":"Jazz"}]}\n',
    },
  })
  importRoutes(app, context, {
    name: 'tracks',
    path: '/tracks',
    upload: '/tracks/bulk/import',
    ...scopes,
    body: TrackImportBody,
    matches: trackMatches,
    matched,
    defaults: { status: Status },
    examples: {
      csv: 'reference_unique,body,artists,streamtracks.isrc\nt-1,Tide,The Night Ferries;Quay,NLA122600001\n',
      ndjson: '{"reference_unique":"t-1","body":"Tide","artists":["The Night Ferries"]}\n',
    },
  })
  importRoutes(app, context, {
    name: 'timelines',
    path: '/timelines',
    upload: '/timelines/bulk/import',
    ...scopes,
    body: TimelineImportBody,
    matches: ['id'],
    matched: 'What an entry is found by. Without it: by its channel and beginning where a row has no id',
    defaults: { channel_id: Type.String({ maxLength: 200, description: 'Of rows that name none' }) },
    examples: {
      csv: 'from,duration,body,isrc\n2026-03-29 14:05:00,201,Quay - Tide,NLA122600001\n',
      ndjson: '{"from":"2026-03-29 14:05:00","until":"2026-03-29 14:08:21","body":"Quay - Tide"}\n',
    },
    alsoWrong: timesInOrder as never,
  })
}
