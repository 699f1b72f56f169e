import { sql } from 'kysely'
import type { Db } from './connect.ts'
import type { CursorValue } from './cursor.ts'
import type { Condition } from './filters.ts'
import { type Finding, type Found, leadsAnywhere, sourceOf, type Walk, walkRows } from './walk.ts'

/**
 * Rows whose first sort key has one of these values, or any that no other tier has; where that is one, it need not be
 * sorted by.
 */
export type Tier = { values: number[] | 'others'; conditions: Condition[]; finding?: Finding | undefined }

/** A walk whose first key is known by tiers, the highest first: one after the other, and mostly only the first. */
export type TieredWalk = Walk & { tiers?: Tier[] }

type TierWalk = { walk: Walk; whole: (values: CursorValue[]) => CursorValue[] }

/** The tiers that a walk still leads through, each as a walk of its own. */
const walksOf = ({ tiers, ...walk }: TieredWalk): TierWalk[] => {
  const { position, backwards } = walk
  const ordered = backwards ? tiers!.toReversed() : tiers!
  const at = position?.values[0] as number | undefined
  const first = at === undefined ? 0 : placeOf(ordered, at)
  return ordered.slice(first).map((tier, index) => {
    const own: Walk = { ...walk, conditions: [...walk.conditions, ...tier.conditions] }
    if (tier.finding) own.finding = tier.finding
    else delete own.finding
    const from = index === 0 ? position : undefined
    if (tier.values === 'others' || tier.values.length > 1)
      return { walk: { ...own, position: from }, whole: (values) => values }
    const behind = from && { ...from, values: from.values.slice(1) }
    return {
      walk: { ...own, keys: walk.keys.slice(1), position: behind },
      whole: (values) => [tier.values[0] as number, ...values],
    }
  })
}

/** The tier that has the value, or the one that has all others. */
const placeOf = (tiers: Tier[], value: number): number => {
  const own = tiers.findIndex(({ values }) => values !== 'others' && values.includes(value))
  return own >= 0 ? own : tiers.findIndex(({ values }) => values === 'others')
}

export const findRows = async <Row>(
  db: Db,
  walk: TieredWalk,
  skip: number,
  limit: number,
): Promise<Found<Row>[]> => {
  if (!walk.tiers) return walkRows<Row>(db, walk, skip, limit)
  const found: Found<Row>[] = []
  let left = skip
  for (const { walk: tier, whole } of walksOf(walk)) {
    const rows = await walkRows<Row>(db, tier, left, limit - found.length)
    found.push(...rows.map(({ row, values }) => ({ row, values: whole(values) })))
    if (found.length >= limit) break
    if (left > 0) left = rows.length > 0 ? 0 : left - (await countUpTo(db, tier, left))
  }
  return found
}

export const findAny = async (db: Db, walk: TieredWalk): Promise<boolean> => {
  if (!walk.tiers) return leadsAnywhere(db, walk)
  for (const { walk: tier } of walksOf(walk)) if (await leadsAnywhere(db, tier)) return true
  return false
}

/** Only reached where a tier has fewer rows than are skipped; it is walked from its beginning. */
const countUpTo = async (db: Db, walk: Walk, most: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from (
    select 1 from ${sourceOf(walk)} where ${sql.join(walk.conditions, sql` and `)} limit ${most}) as passed`.execute(
    db,
  )
  return rows[0]!.count
}
