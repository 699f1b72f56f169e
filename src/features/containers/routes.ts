import { recordRoutes } from '../../http/records.ts'
import type { Routes } from '../../http/types.ts'
import { changeContainer, createContainer, deleteContainer } from './commands.ts'
import { containerList } from './filters.ts'
import { containerExpansions, presentContainer } from './present.ts'
import { Container, ContainerBody, ContainerChanges } from './schema.ts'

/** The same in both generations. */
export const containerRoutes: Routes = (app, context) =>
  recordRoutes(app, context, {
    path: '/containers',
    label: 'Container',
    record: Container,
    list: containerList,
    expansions: containerExpansions,
    present: presentContainer,
    read: [],
    cached: ['content'],
    create: { scopes: ['containers_publish'], body: ContainerBody, run: createContainer },
    change: { scopes: ['containers_publish'], body: ContainerChanges, run: changeContainer },
    remove: { scopes: ['containers_publish'], run: deleteContainer },
  })
