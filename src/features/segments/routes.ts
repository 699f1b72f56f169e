import { recordRoutes } from '../../http/records.ts'
import type { Routes } from '../../http/types.ts'
import { commonExpansions as expansions } from '../access/expansions.ts'
import { changeSegment, createSegment, deleteSegment, faultsInRules } from './commands.ts'
import { segmentList } from './filters.ts'
import { presentSegment } from './present.ts'
import { findSegment } from './queries.ts'
import { Segment, SegmentBody, SegmentChanges } from './schema.ts'

const writes = ['segments', 'segments_publish'] as const

/** The same in both generations. */
export const segmentRoutes: Routes = (app, context) =>
  recordRoutes(app, context, {
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
