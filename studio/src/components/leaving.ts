import { useSyncExternalStore } from 'react'
import { toast, toastError } from './toast.tsx'

let leaving: ReadonlySet<string> = new Set()
const watchers = new Set<() => void>()
const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
const setLeaving = (next: Iterable<string>): void => {
  leaving = new Set(next)
  for (const watcher of watchers) watcher()
}

/** Records that are about to go and are not shown any more. */
export const useLeaving = (): ReadonlySet<string> => useSyncExternalStore(watch, () => leaving)

/** As long as the toast can be answered. */
const grace = 10_000

type Leaving = {
  id: string
  /** What the toast says. */
  message: string
  /** What did not work, where something does not. */
  what: string
  /** Done at once, before the toast. */
  first?: () => Promise<unknown>
  remove: () => Promise<unknown>
  /** Takes back what was done at once. */
  back?: () => Promise<unknown>
  /** Lists are asked again. */
  after: () => void
}

/** For what no undo could bring back: it is hidden at once and removed when the time for second thoughts is over. */
export const leaveLater = async ({ id, message, what, first, remove, back, after }: Leaving) => {
  const show = () => setLeaving([...leaving].filter((one) => one !== id))
  setLeaving([...leaving, id])
  try {
    await first?.()
  } catch (error) {
    show()
    return toastError(what, error)
  }
  const timer = setTimeout(async () => {
    await remove().catch((error) => toastError(what, error))
    after()
    show()
  }, grace)
  toast(message, async () => {
    clearTimeout(timer)
    show()
    await back?.()
    after()
  })
}
