import { recordRoutes } from '../../http/records.ts'
import type { Routes } from '../../http/types.ts'
import { commonExpansions } from '../access/expansions.ts'
import { changeStatus, createStatus, deleteStatus } from './commands.ts'
import { statusList } from './filters.ts'
import { presentStatus } from './present.ts'
import { Status, StatusBody, StatusChanges } from './schema.ts'

/** The same in both generations. */
export const statusRoutes: Routes = (app, context) =>
  recordRoutes(app, context, {
    path: '/statuses',
    label: 'Status',
    record: Status,
    list: statusList,
    expansions: commonExpansions,
    present: presentStatus,
    read: [],
    cached: ['structure'],
    create: { scopes: ['statuses_publish'], body: StatusBody, run: createStatus },
    change: { scopes: ['statuses_publish'], body: StatusChanges, run: changeStatus },
    remove: { scopes: ['statuses_publish'], run: deleteStatus },
  })
