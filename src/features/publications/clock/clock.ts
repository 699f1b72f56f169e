import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { Unavailable } from '../../../errors.ts'
import { keepLooking, type Looking } from '../../../jobs/looking.ts'
import { settleDue } from './settle.ts'

/** Whole publications in memory at once, any of which may be large. */
const batchSize = 50
/** What was scheduled by another process is seen at the latest then. */
const atMost = 1000
/** What is due but locked is soon free again. */
const atLeast = 50
/** How long a publication that could not be settled is passed over, so that the others are not held up by it. */
const putAsideFor = 30_000

/**
 * Publishes and unpublishes what is scheduled. Every node with background work has one, and row locks give each
 * publication to one of them; what became due while no node ran is settled at the start.
 */
export const startClock = (context: Context, onError: (error: unknown) => void): Looking => {
  const aside = new Map<string, number>()
  return keepLooking(async (isStopped) => {
    for (const [id, until] of aside) if (until <= Date.now()) aside.delete(id)
    const which = sql`not (id = any(${[...aside.keys()]}::text[]))`
    const delay = await untilNext(context, which)
    if (delay > 0) return Math.min(delay, atMost)
    try {
      while ((await settleDue(context, batchSize, which)) === batchSize && !isStopped());
    } catch (error) {
      if (error instanceof Unavailable) throw error
      for (const [id, fault] of await settleSingly(context, which)) {
        onError(fault)
        aside.set(id, Date.now() + putAsideFor)
      }
    }
    return atLeast
  }, onError)
}

/** Milliseconds until the next moment comes, by the clock of the database. */
const untilNext = async ({ db }: Context, which: RawBuilder<unknown>): Promise<number> => {
  const { rows } = await sql<{ delay: number }>`
    select ceil(extract(epoch from next_change - now()) * 1000)::float8 as delay from publications
    where next_change is not null and ${which} order by next_change limit 1`.execute(db)
  return rows[0]?.delay ?? atMost
}

/** One that cannot be settled must not keep its batch from being; gives those, with what is wrong. */
const settleSingly = async (
  context: Context,
  which: RawBuilder<unknown>,
): Promise<[id: string, fault: unknown][]> => {
  const { rows } = await sql<{ id: string }>`select id from publications
    where next_change <= now() and ${which} order by next_change limit ${batchSize}`.execute(context.db)
  const faults: [string, unknown][] = []
  for (const { id } of rows)
    await settleDue(context, 1, sql`id = ${id}`).catch((error) => faults.push([id, error]))
  return faults
}
