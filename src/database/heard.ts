/** How long a reader waits for this process to hear of a write before it is answered all the same. */
const patience = 2000
/** Older ones have long been told to everybody. */
const ownKept = 10_000

type Snapshot = { below: bigint; from: bigint; open: Set<string> }

/** `xmin:xmax:xip,…`, as PostgreSQL writes it. */
const parse = (text: string): Snapshot => {
  const [below, from, open = ''] = text.split(':') as [string, string, string?]
  return { below: BigInt(below), from: BigInt(from), open: new Set(open.split(',')) }
}

const sees = ({ below, from, open }: Snapshot, transaction: bigint): boolean =>
  transaction < below || (transaction < from && !open.has(String(transaction)))

/**
 * Which transactions this process knows of: its own since their commit, others since the dispatcher told of them. A
 * reader that names one (`Data-Version`) waits until it is known, so that nothing remembered from before is given.
 */
export const heardOf = () => {
  const own = new Set<string>()
  let last: Snapshot = { below: 0n, from: 0n, open: new Set() }
  let waiting: (() => void)[] = []
  const knows = (transaction: string): boolean => own.has(transaction) || sees(last, BigInt(transaction))
  return {
    knows,
    wrote(transaction: string): void {
      own.add(transaction)
      if (own.size > ownKept) own.delete(own.values().next().value!)
    },
    hear(snapshot: string): void {
      last = parse(snapshot)
      const woken = waiting
      waiting = []
      for (const wake of woken) wake()
    },
    /** Whether it became known in time. */
    async until(transaction: string): Promise<boolean> {
      const end = performance.now() + patience
      while (!knows(transaction)) {
        const left = end - performance.now()
        if (left <= 0) return false
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left)
          waiting.push(() => {
            clearTimeout(timer)
            resolve()
          })
        })
      }
      return true
    },
  }
}
export type Heard = ReturnType<typeof heardOf>
