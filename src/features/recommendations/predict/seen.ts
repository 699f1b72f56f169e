import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'

/** Ids of all persons together, and for how long: what came since is among the newest, which are read each time. */
const mostIds = 1_000_000
const trustedFor = 30_000

/** Every publication that a person ever had to do with; only asked of those who did very much. */
export const seenReader = ({ db }: Pick<Context, 'db'>) => {
  const known = new LRUCache<string, string[]>({
    maxSize: mostIds,
    sizeCalculation: ({ length }) => Math.max(1, length),
    ttl: trustedFor,
  })
  return async (environmentId: string, key: string): Promise<string[]> => {
    const name = `${environmentId} ${key}`
    const before = known.get(name)
    if (before) return before
    const { rows } = await sql<{ publication_id: string }>`select distinct publication_id from interactions
      where environment_id = ${environmentId} and person_key = ${key}`.execute(db)
    const ids = rows.map(({ publication_id }) => publication_id)
    known.set(name, ids)
    return ids
  }
}
export type SeenBy = ReturnType<typeof seenReader>
