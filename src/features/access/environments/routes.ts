import { faultsOf } from '../../../errors.ts'
import { recordRoutes } from '../../../http/records.ts'
import type { Routes } from '../../../http/types.ts'
import { addEnvironment, changeEnvironment } from './commands.ts'
import { environmentList } from './filters.ts'
import { presentEnvironment } from './present.ts'
import { findEnvironment, visibleEnvironments } from './queries.ts'
import { requireDefaultAmongLocales } from './rules.ts'
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
    alsoWrong: async (actor, body, id) => {
      const before = id === undefined ? {} : await findEnvironment(context.db, actor, id).catch(() => ({}))
      return faultsOf(() => requireDefaultAmongLocales({ ...before, ...body }))
    },
    create: { scopes: ['tokens'], body: EnvironmentBody, run: addEnvironment },
    change: { scopes: ['tokens'], body: EnvironmentChanges, run: changeEnvironment },
  })
