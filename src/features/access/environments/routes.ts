import { recordRoutes } from '../../../http/records.ts'
import type { Routes } from '../../../http/types.ts'
import { addEnvironment, changeEnvironment } from './commands.ts'
import { environmentList } from './filters.ts'
import { presentEnvironment } from './present.ts'
import { findEnvironment, visibleEnvironments } from './queries.ts'
import { Environment, EnvironmentBody, EnvironmentChanges } from './schema.ts'

export const environmentRoutes: Routes = (app, context) =>
  recordRoutes(app, context, {
    path: '/environments',
    label: 'Environment',
    record: Environment,
    list: environmentList,
    scope: (actor) => actor.organisation_id,
    only: visibleEnvironments,
    find: findEnvironment,
    present: presentEnvironment,
    read: [],
    environment: 'optional',
    create: { scopes: ['tokens'], body: EnvironmentBody, run: addEnvironment },
    change: { scopes: ['tokens'], body: EnvironmentChanges, run: changeEnvironment },
  })
