import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import { type Change, type ChangeLog, changeLogs, endOf, hasSeen, readSight, type Sight } from './changes.ts'
import { listSignature } from './cursor.ts'
import type { Condition } from './filters.ts'
import type { DataVersions, Family } from './versions.ts'

/** A number of rows, and `pg_current_snapshot()` of the statement that counted them. */
type Counted = { count: number; snapshot: string }

/** Whether a record, as it was given to `recordChange`, is among those counted; undefined: cannot be told. */
export type Matcher = (record: never) => boolean | undefined

type Asked = {
  environment: string
  family: Family
  key: string
  count(): Promise<Counted>
  /** Without one each change makes the total stale. */
  matches?: Matcher | undefined
}

type Total = {
  /** What it rests on: a log of changes, or the data version. */
  basis: ChangeLog | string
  ready: Promise<void>
  count: number
  sight: Sight
  /** Up to where in the log its changes are in the count. */
  upTo: number
}

/**
 * Totals of lists. One with a matcher is kept true by what this process commits: each change that the count has not
 * seen adds or takes away one. Anything else that happens to the family makes it be counted anew. Requests for the
 * same total share one count.
 */
export const rememberedTotals = (versions: DataVersions, trusted: () => boolean) => {
  const totals = new LRUCache<string, Total>({ max: 20_000 })
  const logs = changeLogs(versions)

  const begin = (name: string, basis: ChangeLog | string, count: Asked['count']): Total => {
    const total: Total = {
      basis,
      count: 0,
      sight: nothing,
      upTo: typeof basis === 'string' ? 0 : endOf(basis),
      ready: undefined as never,
    }
    total.ready = count().then((counted) => {
      total.count = counted.count
      total.sight = readSight(counted.snapshot)
    })
    totals.set(name, total)
    total.ready.catch(() => forget(name, total))
    return total
  }
  const forget = (name: string, total: Total): void => {
    if (totals.peek(name) === total) totals.delete(name)
  }

  return {
    async of({ environment, family, key, count, matches }: Asked): Promise<number> {
      if (!trusted()) return (await count()).count
      const name = `${environment} ${family} ${key}`
      const basis = matches ? logs.of(environment, family) : versions.of(environment, family)
      const find = (): Total | undefined => {
        const total = totals.get(name)
        return total?.basis === basis ? total : undefined
      }
      const known = find()
      if (known) {
        await known.ready
        if (bringUpToDate(known, matches)) return known.count
        forget(name, known)
      }
      // Whoever else found the same one unusable may have begun already.
      const fresh = find() ?? begin(name, basis, count)
      await fresh.ready
      // What changed meanwhile cannot be judged or is too much: the count is as true as it was when it was made.
      if (!bringUpToDate(fresh, matches)) forget(name, fresh)
      return fresh.count
    },
    /** Takes in what a transaction committed. */
    add: logs.add,
    forgetSoon: logs.forgetSoon,
  }
}
export type RememberedTotals = ReturnType<typeof rememberedTotals>

const nothing: Sight = { from: 0, to: 0, running: new Set() }

/** False where the changes since the count do not tell what it is now. */
const bringUpToDate = (total: Total, matches: Matcher | undefined): boolean => {
  const { basis: log, sight } = total
  if (typeof log === 'string' || !matches) return true
  if (total.upTo < log.dropped) return false
  let { count } = total
  for (let at = total.upTo - log.dropped; at < log.changes.length; at += 1) {
    const change = log.changes[at]!
    const difference = hasSeen(sight, change.xid) ? 0 : differenceOf(change, matches)
    if (difference === undefined) return false
    count += difference
  }
  // Another process made something that this one has deleted, and has not been heard of yet.
  if (count < 0) return false
  total.count = count
  total.upTo = endOf(log)
  return true
}

const differenceOf = ({ before, after }: Change, matches: Matcher): number | undefined => {
  const was = before !== null && matches(before as never)
  const is = after !== null && matches(after as never)
  return was === undefined || is === undefined ? undefined : Number(is) - Number(was)
}

/** The exact number of rows of a list. Without a matcher any change to its family makes it be counted anew. */
export const countAll = async (
  { db, totals }: Pick<Context, 'db' | 'totals'>,
  { table, family }: { table: string; family: Family },
  scope: string,
  moving: boolean,
  conditions: Condition[],
  filter: Record<string, unknown>,
  only: Condition[],
  matches?: Matcher,
): Promise<number> => {
  const count = async (): Promise<Counted> => {
    const { rows } = await sql<{ count: string; snapshot: string }>`
      select count(*) as count, pg_current_snapshot()::text as snapshot from ${sql.table(table)} as row
      where ${sql.join(conditions, sql` and `)}`.execute(db)
    return { count: Number(rows[0]!.count), snapshot: rows[0]!.snapshot }
  }
  if (moving) return (await count()).count
  const seen = only.map((condition) => condition.compile(db)).map(({ sql, parameters }) => [sql, parameters])
  return totals.of({ environment: scope, family, key: listSignature(table, filter, seen), count, matches })
}
