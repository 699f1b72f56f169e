import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { base, DateTime, IdParams, Nullable, NullableDateTime } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import { findAsset, isThere } from './queries.ts'
import { usageOf } from './usage.ts'

const Found = (item: object) =>
  Type.Object({
    total: Type.Integer(),
    items: Type.Array(Type.Unsafe<object>({ type: 'object', ...item }), { description: 'The newest 100' }),
  })
const { label: _, ...stamps } = base('Publication')

const Usage = Type.Object(
  {
    total: Type.Integer(),
    publications: Found({
      properties: { ...stamps, label: Type.String(), title: Nullable('string') },
    }),
    persons: Found({
      properties: {
        id: Type.String(),
        created_on: DateTime(),
        changed_on: NullableDateTime(),
        label: Type.Literal('Person'),
      },
    }),
  },
  { title: 'AssetUsage' },
)

const Folders = Type.Object(
  { items: Type.Array(Type.Object({ folder: Type.String(), total: Type.Integer() })) },
  { title: 'AssetFolders' },
)

export const assetUsageRoutes = (app: App, context: Context): void => {
  app.get(
    '/assets/:id/usage',
    {
      config: { scopes: ['assets'] },
      schema: {
        summary: 'Tell where an Asset is used',
        description: 'Publications with the scope publications, persons with the scope persons.',
        params: IdParams,
        response: { 200: Usage },
      },
    },
    async ({ actor, params }) => {
      const { id } = await findAsset(context.db, actor.environment_id, params.id)
      return usageOf(context, actor, id) as never
    },
  )

  app.get(
    '/assets/folders',
    {
      config: { scopes: ['assets'] },
      schema: { summary: 'List the folders that assets are in', response: { 200: Folders } },
    },
    async ({ actor }) => {
      const { rows } = await sql<{ folder: string; total: number }>`
        select folder, count(*)::integer as total from assets where environment_id = ${actor.environment_id}
          and folder is not null and ${isThere}
        group by folder order by folder limit 10000`.execute(context.db)
      return { items: rows }
    },
  )
}
