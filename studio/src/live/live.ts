import { useEffect, useRef, useSyncExternalStore } from 'react'
import { refresh } from '../api/queries.ts'
import { type LiveEvent, readEvents } from './stream.ts'

export type LiveState = 'connecting' | 'live' | 'lost'

let state: LiveState = 'connecting'
const watchers = new Set<() => void>()
const listeners = new Set<(event: LiveEvent) => void>()

const become = (next: LiveState): void => {
  if (state === next) return
  state = next
  for (const watcher of watchers) watcher()
}

export const useLiveState = (): LiveState =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => state,
  )

/** Hears every event that the user may read, while the component is shown. */
export const useLive = (listener: (event: LiveEvent) => void): void => {
  const current = useRef(listener)
  current.current = listener
  useEffect(() => {
    const hear = (event: LiveEvent) => current.current(event)
    listeners.add(hear)
    return () => {
      listeners.delete(hear)
    }
  }, [])
}

/** `status.created` is about what `/statuses` lists. */
const plurals: Record<string, string> = { status: 'statuses' }
const kindOf = (event: string): string => {
  const [record = ''] = event.split('.')
  return plurals[record] ?? `${record}s`
}

/** Lists are asked again at most every two seconds, however much happens. */
const pause = 2000
const touched = new Set<string>()
let timer: number | undefined
const touch = (kind: string): void => {
  touched.add(kind)
  if (timer !== undefined) return
  timer = window.setTimeout(() => {
    timer = undefined
    refresh(...touched)
    touched.clear()
  }, pause)
}

/** Listens until the page is left; goes on where it was after a lost connection. */
export const startLive = (): (() => void) => {
  const end = new AbortController()
  const run = async () => {
    let lastId: string | undefined
    for (let failures = 0; !end.signal.aborted; failures += 1) {
      await readEvents(
        lastId,
        end.signal,
        () => {
          failures = 0
          become('live')
        },
        (id, event) => {
          lastId = id
          if (!event) return
          touch(kindOf(event.event))
          for (const listener of listeners) listener(event)
        },
      ).catch(() => {})
      if (end.signal.aborted) return
      if (failures > 0) become('lost')
      await new Promise((resolve) => setTimeout(resolve, Math.min(1000 * 2 ** failures, 30_000)))
    }
  }
  window.addEventListener('offline', () => become('lost'), { signal: end.signal })
  run()
  return () => end.abort()
}
