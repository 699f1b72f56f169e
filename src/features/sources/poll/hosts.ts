import type { Due } from '../connect/polling.ts'

/** Requests at a time: as many as may hang without the others having to wait. */
const maxUnderWay = 200
/** To one host: nobody likes to be asked by a crowd. */
const maxPerHost = 16

/** Who is asked now, and who waits until the host has room. */
export const openHosts = (ask: (due: Due) => Promise<void>) => {
  const underWay = new Map<string, number>()
  const waiting = new Map<string, Due[]>()
  let asked = 0

  const run = async (due: Due): Promise<void> => {
    asked += 1
    underWay.set(due.host, (underWay.get(due.host) ?? 0) + 1)
    await ask(due)
    asked -= 1
    underWay.set(due.host, underWay.get(due.host)! - 1)
    if (underWay.get(due.host) === 0) underWay.delete(due.host)
    start()
  }
  const start = (): void => {
    for (const [host, queue] of waiting) {
      while (queue.length > 0 && asked < maxUnderWay && (underWay.get(host) ?? 0) < maxPerHost)
        run(queue.shift()!)
      if (queue.length === 0) waiting.delete(host)
      if (asked === maxUnderWay) return
    }
  }
  const waitingCount = (): number => waiting.values().reduce((sum, { length }) => sum + length, 0)
  return {
    add(due: Due[]): void {
      for (const [host, own] of Map.groupBy(due, ({ host }) => host))
        waiting.set(host, [...(waiting.get(host) ?? []), ...own])
      start()
    },
    held: (): number => asked + waitingCount(),
    /** Hosts of which nothing more is wanted now. */
    busy: (): string[] => [...waiting.keys()],
    /** Gives what has not been asked. */
    drain(): Due[] {
      const all = [...waiting.values()].flat()
      waiting.clear()
      return all
    },
  }
}
