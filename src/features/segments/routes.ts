import type { Context } from '../../context.ts'
import { recordRoutes } from '../../http/records.ts'
import type { App, Routes } from '../../http/types.ts'
import { commonExpansions as expansions } from '../access/expansions.ts'
import { changeSegment, createSegment, deleteSegment, faultsInRules } from './commands.ts'
import { segmentList } from './filters.ts'
import { presentSegment } from './present.ts'
import { findSegment } from './queries.ts'
import { Segment, SegmentBody, SegmentChanges } from './schema.ts'

const writes = ['segments', 'segments_publish'] as const

const routes = (app: App, context: Context, beta?: true) =>
  recordRoutes(app, context, {
    ...(beta && { beta }),
    path: '/segments',
    label: 'Segment',
    record: Segment,
    list: segmentList,
    expansions,
    present: presentSegment,
    find: (db, actor, id) => findSegment(db, actor.environment_id, id),
    read: ['segments'],
    readList: ['persons'],
    alsoWrong: faultsInRules,
    create: { scopes: ['segments'], body: SegmentBody, run: createSegment },
    change: { scopes: writes, body: SegmentChanges, run: changeSegment },
    remove: { scopes: writes, run: deleteSegment },
  })

/** The same in both generations, but that the specification calls the unversioned list beta. */
export const segmentRoutes: Routes = (app, context) => routes(app, context, true)
export const segmentRoutesV5: Routes = (app, context) => routes(app, context)
