import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Entries } from './keys.ts'
import { isFilled, isSame } from './values.ts'

/**
 * What is edited, by key. Whoever shows one key is told of that key alone, so that a letter typed into one of 300
 * fields renders one of them.
 */
export const makeStore = () => {
  const values: Entries = new Map()
  /** What the service is known to have. */
  const base: Entries = new Map()
  /** What it has not got yet. */
  const pending: Entries = new Map()
  const faults = new Map<string, string>()
  const watchers = new Map<string, Set<() => void>>()
  let shape = 0

  const tell = (key: string): void => {
    for (const watcher of watchers.get(key) ?? []) watcher()
  }
  const put = (key: string, value: unknown): void => {
    if (isFilled(values.get(key)) !== isFilled(value)) {
      shape += 1
      tell('$shape')
    }
    values.set(key, value)
    tell(key)
  }
  return {
    values,
    base,
    pending,
    faults,
    tell,
    /** Moves whenever a field becomes filled or empty. */
    shape: () => shape,
    watch: (key: string, watcher: () => void): (() => void) => {
      const known = watchers.get(key) ?? new Set()
      watchers.set(key, known.add(watcher))
      return () => known.delete(watcher)
    },
    /** By the editor. */
    set: (key: string, value: unknown): void => {
      if (isSame(values.get(key), value)) return
      pending.set(key, value)
      if (faults.delete(key)) tell('$faults')
      put(key, value)
      tell('$pending')
    },
    /** From the service: what it has that it did not have before, save where something unsent stands. */
    take: (entries: Entries): void => {
      for (const key of new Set([...base.keys(), ...entries.keys()])) {
        const value = entries.get(key) ?? null
        const isNews = !isSame(base.get(key), value)
        base.set(key, value)
        if (isNews && !pending.has(key)) put(key, value)
      }
    },
    fault: (key: string, message: string): void => {
      faults.set(key, message)
      tell(key)
      tell('$faults')
    },
    /** Back to what the service has. */
    drop: (key: string): void => {
      pending.delete(key)
      faults.delete(key)
      put(key, base.get(key) ?? null)
      tell('$pending')
    },
  }
}
export type Store = ReturnType<typeof makeStore>

export const StoreContext = createContext<Store | null>(null)
export const useStore = (): Store => useContext(StoreContext)!

export const useValue = <T>(key: string): T => {
  const store = useStore()
  return useSyncExternalStore(
    (watcher) => store.watch(key, watcher),
    () => store.values.get(key),
  ) as T
}

export const useFault = (key: string): string | undefined => {
  const store = useStore()
  return useSyncExternalStore(
    (watcher) => store.watch(key, watcher),
    () => store.faults.get(key),
  )
}

/** Renders again whenever a field becomes filled or empty. */
export const useShape = (): number => {
  const store = useStore()
  return useSyncExternalStore((watcher) => store.watch('$shape', watcher), store.shape)
}
