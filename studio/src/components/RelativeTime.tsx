import { useSyncExternalStore } from 'react'
import { t } from '../texts/index.ts'
import { formatExactTime, formatRelative } from './format.ts'

/** One clock for all of them, every half minute. */
let now = Date.now()
const watchers = new Set<() => void>()
let timer: number | undefined
const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  timer ??= window.setInterval(() => {
    now = Date.now()
    for (const one of watchers) one()
  }, 30_000)
  return () => {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** "3 min. ago", with the exact time on hover. */
export const RelativeTime = ({
  at,
  none = t.time.never,
}: {
  at: string | null | undefined
  none?: string
}) => {
  const current = useSyncExternalStore(watch, () => now)
  if (!at) return <span>{none}</span>
  return (
    <time dateTime={at} title={formatExactTime(at)} className="figures">
      {formatRelative(at, Math.max(current, now))}
    </time>
  )
}
