import type { Context } from '../../context.ts'
import { recordRoutes } from '../../http/records.ts'
import type { App, ListOptions, Routes } from '../../http/types.ts'
import { changeAsset, createAsset, deleteAsset, faultsInBody } from './commands.ts'
import { assetExpansions } from './expansions.ts'
import { assetList, assetListV5 } from './filters.ts'
import { presentAsset } from './present.ts'
import { type FoundAsset, findAsset, isThere } from './queries.ts'
import { multipartRoutes } from './routes-multipart.ts'
import { assetTrashRoutes } from './routes-trash.ts'
import { assetUsageRoutes } from './routes-usage.ts'
import { Asset, AssetBody, AssetChanges } from './schema.ts'
import { maxAsset } from './types.ts'

const write = ['assets', 'assets_publish'] as const
const files = { source: maxAsset, video_file_chunk: maxAsset, file_chunk: maxAsset }

/** The same in both generations, but for the length of a page. */
const routes = (app: App, context: Context, list: ListOptions): void => {
  assetTrashRoutes(app, context)
  assetUsageRoutes(app, context)
  recordRoutes<FoundAsset, AssetBody, AssetChanges>(app, context, {
    path: '/assets',
    label: 'Asset',
    record: Asset,
    list,
    expansions: assetExpansions(context),
    present: presentAsset,
    find: (db, { environment_id }, id) => findAsset(db, environment_id, id),
    only: () => [isThere],
    read: ['assets'],
    alsoWrong: (actor, body, _id, found) => faultsInBody(context.db, actor, body, found),
    create: {
      scopes: write,
      body: AssetBody,
      files,
      run: (tx, actor, body) => createAsset(context, tx, actor, body),
    },
    change: {
      scopes: write,
      body: AssetChanges,
      files: { source: maxAsset },
      run: (tx, actor, id, body, expected) => changeAsset(context, tx, actor, id, body, expected),
    },
    remove: { scopes: ['assets', 'assets_delete'], run: deleteAsset },
  })
  multipartRoutes(app, context)
}

export const assetRoutes: Routes = (app, context) => routes(app, context, assetList)
export const assetRoutesV5: Routes = (app, context) => routes(app, context, assetListV5)
