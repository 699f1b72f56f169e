import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { Unavailable } from '../../../errors.ts'
import { keepLooking, type Looking } from '../../../jobs/looking.ts'
import { batchSize, giveUp, runSome, type Taken } from './batch.ts'

const lookEvery = 500
/** Milliseconds between batches, for everybody else. */
const rest = 5

/** Every node with background work takes part; the lock on an operation's row gives each batch to one of them. */
export const startBulk = (context: Context, onError: (error: unknown) => void): Looking =>
  keepLooking(async (isStopped) => {
    while (!isStopped() && (await runBatch(context))) await pause(rest)
    return lookEvery
  }, onError)

/** Works on the next records of an open operation; false if there is none. */
const runBatch = async (context: Context): Promise<boolean> => {
  try {
    return await runSome(context, { ids: [] })
  } catch (error) {
    if (error instanceof Unavailable) throw error
    // Something that only PostgreSQL could tell, such as a slug that was taken meanwhile: whose it is shows singly.
    return runSingly(context)
  }
}

const runSingly = async (context: Context): Promise<boolean> => {
  for (let done = 0; done < batchSize; done += 1) {
    const taken: Taken = { ids: [] }
    try {
      if (!(await runSome(context, taken, true))) return done > 0
    } catch (error) {
      if (error instanceof Unavailable || taken.ids.length === 0) throw error
      await giveUp(context, taken, error)
    }
  }
  return true
}
