import { sql } from 'kysely'
import { recordRoutes } from '../../http/records.ts'
import type { Routes } from '../../http/types.ts'
import { commonExpansions } from '../access/expansions.ts'
import { changeView, createView, deleteView, findView } from './commands.ts'
import { viewList } from './filters.ts'
import { presentView } from './present.ts'
import { View, ViewBody, ViewChanges } from './schema.ts'

export const viewRoutes: Routes = (app, context) =>
  recordRoutes(app, context, {
    path: '/views',
    label: 'View',
    record: View,
    list: viewList,
    expansions: commonExpansions,
    find: findView,
    only: ({ user_id }) => [sql`(row.user_id is null or row.user_id = ${user_id})`],
    present: presentView,
    read: [],
    create: { scopes: [], body: ViewBody, run: createView },
    change: { scopes: [], body: ViewChanges, run: changeView },
    remove: { scopes: [], run: deleteView },
  })
