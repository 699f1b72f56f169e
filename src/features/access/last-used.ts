import { sql } from 'kysely'
import type { Context } from '../../context.ts'

/** Writes down when tokens were last used: one statement every half minute, not one per request. */
export const writeLastUsed = async ({ db, tokens }: Pick<Context, 'db' | 'tokens'>): Promise<void> => {
  const used = [...tokens.takeUsed()]
  for (let start = 0; start < used.length; start += 5000) {
    const part = used.slice(start, start + 5000)
    await sql`update tokens set last_used_on = used.at
      from (select unnest(${part.map(([id]) => id)}::text[]) as id,
        unnest(${part.map(([, at]) => at.toISOString())}::text[])::timestamptz as at) as used
      where tokens.id = used.id`.execute(db)
  }
}
