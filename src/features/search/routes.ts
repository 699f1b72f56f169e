import { type Problem, readers } from '../../database/values.ts'
import { Invalid } from '../../errors.ts'
import type { Routes } from '../../http/types.ts'
import { viewOf } from '../publications/present/view.ts'
import { presentTag } from '../tags/present.ts'
import { presentFound, presentFoundAsset, presentFoundPerson, presentGroup } from './present.ts'
import { searchAll } from './queries.ts'
import { Found, SearchQuery } from './schema.ts'

export const searchRoutes: Routes = (app, context) => {
  app.get(
    '/search',
    {
      config: { scopes: [] },
      schema: {
        summary: 'Search publications, assets, persons and tags at once',
        description: 'Each group is searched where the token holds the scope of its records.',
        querystring: SearchQuery,
        response: { 200: Found },
      },
    },
    async ({ actor, query }) => {
      const { q, locale } = query
      const found = await searchAll(context, actor, { q, locale, limit: readLimit(query.limit) })
      const view = await viewOf(context, actor, { locale })
      const groups = {
        publications: presentGroup(found.publications, presentFound(view)),
        assets: presentGroup(found.assets, presentFoundAsset),
        persons: presentGroup(found.persons, presentFoundPerson),
        tags: presentGroup(found.tags, presentTag)!,
      }
      const total = Object.values(groups).reduce((sum, group) => sum + (group?.total ?? 0), 0)
      return { total, ...groups } as never
    },
  )
}

const readLimit = (sent: unknown): number => {
  const problems: Problem[] = []
  const limit = sent === undefined ? 5 : (readers.integer(sent, 'limit', problems) as number)
  if (problems.length === 0 && (limit < 1 || limit > 25))
    problems.push({ path: 'limit', message: 'must be from 1 to 25' })
  if (problems.length > 0) throw new Invalid(problems)
  return limit
}
