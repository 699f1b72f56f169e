import type { Marquee } from 'marquee-sdk'
import { useSyncExternalStore } from 'react'
import { useStore } from './store.ts'

/** Where the work is between the keyboard and the service. */
export type SaveState =
  | { kind: 'idle' | 'waiting' | 'saving' }
  | { kind: 'saved'; at: number }
  /** Kept in this browser and sent when the service answers again. */
  | { kind: 'offline' }
  | { kind: 'refused'; error: unknown }
  /** Others have changed the same; `keys` wait for a choice. */
  | { kind: 'conflict'; keys: string[] }

/** What the service said last about the draft as a whole. */
export type Facts = {
  id: string | undefined
  /** Linked ones. */
  locales: string[]
  /** Locale, or `all` → who saved last. */
  draft: NonNullable<Marquee.Publication['draft']>
  /** Locale → when one of its fields was last changed. */
  changed: Record<string, string>
}

const useKey = <T>(key: string): T => {
  const store = useStore()
  return useSyncExternalStore(
    (watcher) => store.watch(key, watcher),
    () => store.values.get(key),
  ) as T
}
export const useSaveState = (): SaveState => useKey('$state')
export const useFacts = (): Facts => useKey('$facts')

export const usePendingCount = (): number => {
  const store = useStore()
  return useSyncExternalStore(
    (watcher) => store.watch('$pending', watcher),
    () => store.pending.size,
  )
}

export const useFaultCount = (): number => {
  const store = useStore()
  return useSyncExternalStore(
    (watcher) => store.watch('$faults', watcher),
    () => store.faults.size,
  )
}
