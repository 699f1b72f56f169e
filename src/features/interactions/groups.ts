import { Unavailable } from '../../errors.ts'

type Waiting<T> = { entry: T; resolve(): void; reject(error: unknown): void }
export type Outcome = Error | undefined

/** While nothing is under way, those who come within this long wait for each other. */
const gather = 2
/** While one group is being written, the next is looked up. */
const atOnce = 2

/**
 * Does together what arrives together: each hears its own outcome. A group that fails as a whole is tried one by one,
 * unless it may have happened after all.
 */
export const inGroups = <T>(
  work: (group: T[]) => Promise<Outcome[]>,
  weigh: (entry: T) => number,
  most: number,
) => {
  let waiting: Waiting<T>[] = []
  let running = 0
  let isDue = false

  const run = async (group: Waiting<T>[]): Promise<void> => {
    try {
      const outcomes = await work(group.map(({ entry }) => entry))
      for (const [index, { resolve, reject }] of group.entries())
        outcomes[index] ? reject(outcomes[index]) : resolve()
    } catch (error) {
      if (group.length === 1 || error instanceof Unavailable) for (const { reject } of group) reject(error)
      else for (const one of group) await run([one])
    }
  }
  const start = (): void => {
    isDue = false
    if (waiting.length === 0 || running >= atOnce) return
    running += 1
    const group = take()
    run(group).finally(() => {
      running -= 1
      start()
    })
    if (waiting.length > 0) start()
  }
  const take = (): Waiting<T>[] => {
    let weight = 0
    const end = waiting.findIndex(({ entry }, index) => {
      weight += weigh(entry)
      return index > 0 && weight > most
    })
    const group = end < 0 ? waiting : waiting.slice(0, end)
    waiting = end < 0 ? [] : waiting.slice(end)
    return group
  }
  return (entry: T): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ entry, resolve, reject })
      if (isDue || running >= atOnce) return
      isDue = true
      setTimeout(start, gather)
    })
}
