import { useSyncExternalStore } from 'react'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import type { Source } from './source.ts'

let leaving: ReadonlySet<string> = new Set()
const watchers = new Set<() => void>()
const setLeaving = (next: ReadonlySet<string>): void => {
  leaving = next
  for (const watcher of watchers) watcher()
}
const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Those that are about to go and are not shown any more. */
export const useLeaving = (): ReadonlySet<string> => useSyncExternalStore(watch, () => leaving)

/** As long as the toast can be answered. */
const grace = 10_000

/**
 * A source is paused at once and deleted once that cannot be undone any more: deleting takes its items and its
 * password with it, which no undo could bring back. Who leaves the page in between leaves it paused.
 */
export const stopFollowing = async ({ id, name, active }: Source): Promise<void> => {
  const set = (value: boolean) => api.put('/v5/sources/{id}', { path: { id }, body: { active: value } })
  const show = () => setLeaving(new Set([...leaving].filter((one) => one !== id)))
  setLeaving(new Set([...leaving, id]))
  try {
    if (active) await set(false)
  } catch (error) {
    show()
    toastError(t.sources.stopping, error)
    return
  }
  const timer = setTimeout(async () => {
    try {
      await api.delete('/v5/sources/{id}', { path: { id } })
    } catch (error) {
      toastError(t.sources.stopping, error)
    }
    refresh('sources')
    show()
  }, grace)
  toast(t.sources.stopped(name), async () => {
    clearTimeout(timer)
    show()
    if (active) await set(true)
    refresh('sources')
  })
}
