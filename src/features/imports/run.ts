import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { Unavailable } from '../../errors.ts'
import { keepLooking, type Looking } from '../../jobs/looking.ts'
import { giveUp, runSome, type Taken } from './batch.ts'
import { refreshStatistics } from './statistics.ts'

const lookEvery = 500
/** Milliseconds between batches, for everybody else. */
const rest = 5

/** Every node with background work takes part; the lock on an import's row gives each batch to one of them. */
export const startImports = (context: Context, onError: (error: unknown) => void): Looking =>
  keepLooking(async (isStopped) => {
    for (let batches = 1; !isStopped() && (await runBatch(context)); batches += 1) {
      if (isPowerOfTwo(batches)) await refreshStatistics(context.db)
      await pause(rest)
    }
    return lookEvery
  }, onError)

const isPowerOfTwo = (number: number): boolean => (number & (number - 1)) === 0

/** Works on the next rows of an open import; false if there is none. */
const runBatch = async (context: Context): Promise<boolean> => {
  const taken: Taken = { numbers: [] }
  try {
    return await runSome(context, taken)
  } catch (error) {
    if (error instanceof Unavailable || taken.numbers.length === 0) throw error
    // Something that only PostgreSQL could tell, such as an id that was taken meanwhile: whose it is shows singly.
    return runSingly(context, taken.numbers.length)
  }
}

const runSingly = async (context: Context, count: number): Promise<boolean> => {
  for (let done = 0; done < count; done += 1) {
    const taken: Taken = { numbers: [] }
    try {
      if (!(await runSome(context, taken, true))) return done > 0
    } catch (error) {
      if (error instanceof Unavailable || taken.numbers.length === 0) throw error
      await giveUp(context, taken, error)
    }
  }
  return true
}
