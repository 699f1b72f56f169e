import type { Context } from '../../../context.ts'
import { facet } from '../../publications/facets.ts'
import type { FoundRow } from './rows.ts'
import type { Seldom } from './seldom.ts'

/** Which tags a row has, by the facets of all tags of the environment. */
export const tagReader = async (
  { db }: Pick<Context, 'db'>,
  seldom: Seldom,
  environmentId: string,
): Promise<(row: Pick<FoundRow, 'facets'>) => string[]> => {
  const tags = await seldom(environmentId, 'facets of tags', async () => {
    const rows = await db
      .selectFrom('tags')
      .select('id')
      .where('environment_id', '=', environmentId)
      .execute()
    return new Map(rows.map(({ id }) => [facet(environmentId, 'tag', id), id]))
  })
  return ({ facets }) => {
    const found: string[] = []
    if (tags.size === 0) return found
    for (const one of typeof facets === 'string' ? facets.slice(1, -1).split(',') : facets) {
      const tag = tags.get(one)
      if (tag !== undefined) found.push(tag)
    }
    return found
  }
}
