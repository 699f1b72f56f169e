import type { V5 } from 'marquee-sdk'
import { shownAt } from './day.ts'

export type Moments = V5.OnAirMoments
type Counted = { total: number; interactions: Record<string, unknown> }

const quarter = 900_000

export const labelsOf = ({ tracks }: Moments): string[] =>
  [...new Set(tracks.flatMap(({ interactions }) => Object.keys(interactions)))].sort()

/** How many of a label, or of all. */
export const countOf = ({ total, interactions }: Counted, label: string): number =>
  label ? Number(interactions[label] ?? 0) : total

/** Quarters of an hour along the day, which has 23 or 25 hours where clocks change. */
export const barsOf = (
  { items }: Moments,
  { from, until }: { from: number; until: number },
  label: string,
): number[] => {
  const bars = Array.from({ length: Math.ceil((until - from) / quarter) }, () => 0)
  for (const item of items) {
    const place = Math.floor((item.published_on * 1000 - from) / quarter)
    if (place in bars) bars[place]! += countOf(item, label)
  }
  return bars
}

export const clockAt = (from: number, bar: number, timeZone: string): string =>
  shownAt(from + bar * quarter, timeZone).slice(11, 16)

/** A text that spreadsheets take for words, whatever it begins with. */
const cell = (value: string | number): string => {
  const text = String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Every minute with what was on air, as a file. */
export const csvOf = (moments: Moments): string => {
  const labels = labelsOf(moments)
  const rows = moments.items.map(({ minute, timeline, total, interactions }) => [
    minute,
    timeline.body,
    total,
    ...labels.map((label) => Number(interactions[label] ?? 0)),
  ])
  return [['minute', 'on_air', 'total', ...labels], ...rows]
    .map((row) => row.map(cell).join(','))
    .join('\r\n')
}
