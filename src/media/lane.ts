import { Unavailable } from '../errors.ts'
import { type Child, Ended, Stopped, startChild } from './child.ts'
import type { Order } from './orders.ts'

type Entry = {
  order: Order
  resolve(result: never): void
  reject(error: unknown): void
  /** Tried by itself after a process ended with several in it. */
  isAgain: boolean
  hadCompany: boolean
}

/** More than these wait longer than anybody would. */
const mostWaiting = 1000
/** Memory that was needed once goes back when nothing comes for so long. */
const idle = 30_000

/**
 * Orders that take milliseconds share a process, several at a time. When it ends, who was alone in it is to blame;
 * several are tried again one by one, so that no file spoils what becomes of others.
 */
export const openLane = (places: number, seconds: number) => {
  const queue: Entry[] = []
  const inside = new Set<Entry>()
  let child: Child | undefined
  let ending: NodeJS.Timeout | undefined

  const running = (): Child => {
    const own =
      child ??
      startChild(() => {
        if (child === own) child = undefined
      })
    child = own
    return own
  }
  const next = (): void => {
    clearTimeout(ending)
    const isFull = () => inside.size >= (queue[0]!.isAgain ? 1 : places)
    while (queue.length > 0 && !isFull() && ![...inside].some(({ isAgain }) => isAgain)) begin(queue.shift()!)
    if (inside.size === 0) ending = setTimeout(() => child?.stop(), idle).unref()
  }
  const begin = (entry: Entry): void => {
    inside.add(entry)
    if (inside.size > 1) for (const each of inside) each.hadCompany = true
    running()
      .run(entry.order, { seconds })
      .then(entry.resolve as () => void, (error: unknown) => {
        const isBroken = error instanceof Ended || error instanceof Stopped
        if (isBroken && entry.hadCompany) queue.unshift({ ...entry, isAgain: true, hadCompany: false })
        else entry.reject(error)
      })
      .finally(() => {
        inside.delete(entry)
        next()
      })
  }

  return {
    run<Result>(order: Order): Promise<Result> {
      if (queue.length >= mostWaiting) throw new Unavailable('too many pictures wait to be made')
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      queue.push({ order, resolve, reject, isAgain: false, hadCompany: false })
      next()
      return promise
    },
    stop(): void {
      clearTimeout(ending)
      const stopped = new Unavailable('the service is stopping')
      for (const { reject } of queue.splice(0)) reject(stopped)
      for (const entry of inside) entry.hadCompany = false
      child?.stop()
    },
  }
}
