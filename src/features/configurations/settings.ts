import { invalid } from '../../errors.ts'
import { maxKeys, type SentSettings } from './schema.ts'
import type { Settings } from './table.ts'

/** Keys that are not sent stay, null takes one away, and null in place of the whole takes all. */
export const mergeSettings = (before: Settings | null, sent: SentSettings): Settings | null => {
  if (sent === null) return null
  const merged = new Map(Object.entries(before ?? {}))
  for (const [key, value] of Object.entries(sent)) {
    if (value === null) merged.delete(key)
    else merged.set(key, value)
  }
  if (merged.size > maxKeys) throw invalid('settings', `would hold more than ${maxKeys} keys`)
  return Object.fromEntries(merged)
}
