import { sql } from 'kysely'
import type { Context } from '../../context.ts'

const partSize = 5000

/**
 * Writes down when tokens were last used: one statement every half minute, not one per request. Nodes write in
 * the same order, so that none waits for another in a circle, and an earlier time never replaces a later one.
 */
export const writeLastUsed = async ({ db, tokens }: Pick<Context, 'db' | 'tokens'>): Promise<void> => {
  const used = [...tokens.takeUsed()].sort(([a], [b]) => (a < b ? -1 : 1))
  for (let start = 0; start < used.length; start += partSize) {
    const part = used.slice(start, start + partSize)
    const write = sql`update tokens set last_used_on = greatest(last_used_on, used.at)
      from (select id, used.at from tokens join unnest(${part.map(([id]) => id)}::text[],
        ${part.map(([, at]) => at.toISOString())}::timestamptz[]) as used (token_id, at) on id = token_id
        order by id for no key update of tokens) as used
      where tokens.id = used.id`
    try {
      await write.execute(db)
    } catch (error) {
      tokens.giveBackUsed(used.slice(start))
      throw error
    }
  }
}
