import type { Events } from './events.ts'

/** Rows of (column, value), one after the other: row r stands at `starts[r]` up to `starts[r + 1]`. */
export type Sparse = { starts: Int32Array; columns: Int32Array; values: Float32Array }

/** What persons did, made into one number per publication; the newest first. */
export type Histories = Sparse & { times: Int32Array }

export type HistoryOptions = {
  now: number
  /** Publications of one person that are counted, the newest. */
  cap: number
}

/** A quarter of a year later an interaction counts half. */
export const halfLife = 90 * 86_400

/** One person's liking of one publication is bounded, however often they came back. */
export const boundedStrength = (sum: number): number => Math.min(3, sum)

/** Repeats are added up, decayed and bounded; what a person disliked in sum is left out. */
export const historiesOf = (events: Events, persons: number, options: HistoryOptions): Histories => {
  const { order, starts } = byPerson(events, persons)
  const columns = new Int32Array(events.length)
  const values = new Float32Array(events.length)
  const times = new Int32Array(events.length)
  const rowStarts = new Int32Array(persons + 1)
  let end = 0
  for (let person = 0; person < persons; person++) {
    const own = order.subarray(starts[person]!, starts[person + 1]!)
    own.sort((a, b) => events.times[b]! - events.times[a]! || a - b)
    end = addRow(events, own, options, { columns, values, times }, end)
    rowStarts[person + 1] = end
  }
  return {
    starts: rowStarts,
    columns: columns.slice(0, end),
    values: values.slice(0, end),
    times: times.slice(0, end),
  }
}

type Rows = Pick<Histories, 'columns' | 'values' | 'times'>

const addRow = (
  events: Events,
  own: Int32Array,
  { now, cap }: HistoryOptions,
  rows: Rows,
  start: number,
): number => {
  const sums = new Map<number, { sum: number; time: number }>()
  for (const at of own) {
    const item = events.items[at]!
    const time = events.times[at]!
    const decay = 2 ** (-Math.max(0, now - time) / halfLife)
    const known = sums.get(item)
    if (known) known.sum += events.strengths[at]! * decay
    else if (sums.size < cap) sums.set(item, { sum: events.strengths[at]! * decay, time })
  }
  let end = start
  for (const [item, { sum, time }] of sums) {
    if (sum <= 0) continue
    rows.columns[end] = item
    rows.values[end] = boundedStrength(sum)
    rows.times[end++] = time
  }
  return end
}

/** Events numbered by person: a counting sort. */
const byPerson = ({ length, persons: owners }: Events, persons: number) => {
  const starts = new Int32Array(persons + 1)
  for (let at = 0; at < length; at++) starts[owners[at]! + 1]!++
  for (let person = 0; person < persons; person++) starts[person + 1]! += starts[person]!
  const next = starts.slice()
  const order = new Int32Array(length)
  for (let at = 0; at < length; at++) order[next[owners[at]!]!++] = at
  return { order, starts }
}

/** Columns become rows. */
export const transpose = ({ starts, columns, values }: Sparse, width: number): Sparse => {
  const turned = new Int32Array(width + 1)
  for (const column of columns) turned[column + 1]!++
  for (let column = 0; column < width; column++) turned[column + 1]! += turned[column]!
  const next = turned.slice()
  const rows = new Int32Array(columns.length)
  const turnedValues = new Float32Array(columns.length)
  for (let row = 0; row + 1 < starts.length; row++)
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      const to = next[columns[at]!]!++
      rows[to] = row
      turnedValues[to] = values[at]!
    }
  return { starts: turned, columns: rows, values: turnedValues }
}
