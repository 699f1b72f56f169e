import { recordRoutes } from '../../http/records.ts'
import type { Routes } from '../../http/types.ts'
import { commonExpansions } from '../access/expansions.ts'
import { changeTag, createTag, deleteTag } from './commands.ts'
import { tagList } from './filters.ts'
import { presentTag } from './present.ts'
import { Tag, TagBody, TagChanges } from './schema.ts'

/** The same in both generations. */
export const tagRoutes: Routes = (app, context) =>
  recordRoutes(app, context, {
    path: '/tags',
    label: 'Tag',
    record: Tag,
    list: tagList,
    expansions: commonExpansions,
    present: presentTag,
    read: [],
    cached: ['content'],
    create: { scopes: ['tags_publish'], body: TagBody, run: createTag },
    change: { scopes: ['tags_publish'], body: TagChanges, run: changeTag },
    remove: { scopes: ['tags_publish'], run: deleteTag },
  })
