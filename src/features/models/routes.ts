import { recordRoutes } from '../../http/records.ts'
import type { Routes } from '../../http/types.ts'
import { changeModel, createModel, deleteModel } from './commands.ts'
import { modelList } from './filters.ts'
import { modelExpansions, presentModel } from './present.ts'
import { faultsOfFields } from './rules.ts'
import { ModelBody, ModelChanges, PublicationModel } from './schema.ts'

const writes = ['publication_models', 'publication_models_publish'] as const

/** The same in both generations. */
export const modelRoutes: Routes = (app, context) =>
  recordRoutes(app, context, {
    path: '/publication_models',
    label: 'PublicationModel',
    record: PublicationModel,
    list: modelList,
    expansions: modelExpansions,
    present: presentModel,
    read: ['publication_models'],
    cached: ['structure'],
    alsoWrong: (actor, body, id) => faultsOfFields(context.db, actor, body, id),
    create: { scopes: writes, body: ModelBody, run: createModel },
    change: { scopes: writes, body: ModelChanges, run: changeModel },
    remove: { scopes: writes, run: deleteModel },
  })
