import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import { fallbacksOf } from '../insights/fallback.ts'
import type { Settings } from '../table.ts'

export type Variant = 'recommended' | 'control' | 'fallback' | 'dummy'

/** Below, comparing and exploring would cost more than they could tell. */
const enough = 10_000
const trustedFor = 30_000
/** What was enough hardly becomes too little again. */
const knownFor = 3_600_000

/** Whether an environment has seen enough interactions to compare and explore; asked anew every half minute. */
export const experience = ({ db }: Pick<Context, 'db'>) => {
  const known = new LRUCache<string, Promise<boolean>>({ max: 10_000, ttl: trustedFor })
  const count = async (environmentId: string): Promise<boolean> => {
    const { rows } = await sql<{ enough: boolean }>`
      select coalesce(sum(count), 0) >= ${enough} as enough from publication_counters
      where environment_id = ${environmentId}`.execute(db)
    return rows[0]!.enough
  }
  return (environmentId: string): Promise<boolean> => {
    const before = known.get(environmentId)
    if (before) return before
    const asked = count(environmentId)
    known.set(environmentId, asked)
    asked.then(
      (isEnough) => isEnough && known.set(environmentId, asked, { ttl: knownFor }),
      () => known.delete(environmentId),
    )
    return asked
  }
}

/** A person stays on the same side of a recommendation for good, wherever and whenever it is asked. */
export const isControl = (recommendationId: string, personKey: string, share: number): boolean => {
  const hash = createHash('sha256').update(`${recommendationId} ${personKey}`).digest().readUInt32BE(0)
  return hash / 2 ** 32 < share
}

export const variantOf = async (
  context: Pick<Context, 'db' | 'remember'>,
  environmentId: string,
  settings: Settings,
  personKey: string | undefined,
  isExperienced: boolean,
): Promise<Variant> => {
  if (settings.type === 'dummy') return 'dummy'
  const fallbacks = await context.remember(environmentId, 'structure', 'fallbacks', () =>
    fallbacksOf(context.db, environmentId),
  )
  if (fallbacks.has(settings.id)) return 'fallback'
  const compared = isExperienced && personKey !== undefined
  return compared && isControl(settings.id, personKey, settings.control_share) ? 'control' : 'recommended'
}
