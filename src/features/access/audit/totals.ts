import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Count } from '../sequence-page.ts'

type Counted = { upTo: string; count: number }

/**
 * Exact totals of a log that only grows: what was counted stays true, so only entries since then are counted.
 * They are numbered in the order of commits, so none appears later below a number that was seen.
 */
export const growingTotals = (): Count => {
  const totals = new LRUCache<string, Counted>({ max: 10_000 })
  return async (db, source, where, moving) => {
    const condition = sql.join(where, sql` and `)
    const { sql: text, parameters } = condition.compile(db)
    const key = JSON.stringify([text, parameters])
    const known = (!moving && totals.get(key)) || { upTo: '0', count: 0 }
    const { rows } = await sql<{ n: string; last: string }>`
      select count(*) as n, (select last from event_sequence) as last from ${source} as row
      where ${condition} and row.sequence > ${known.upTo}::bigint`.execute(db)
    const { n, last } = rows[0]!
    const count = known.count + Number(n)
    if (!moving) totals.set(key, { upTo: last, count })
    return count
  }
}
