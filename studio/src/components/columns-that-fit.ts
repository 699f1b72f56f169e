import type { Column } from './DataTable.tsx'

const gap = 12
const padding = 32

/** The least that a track takes: 220 of `minmax(220px, 3fr)`. */
const leastOf = <Row>({ width = '' }: Column<Row>): number => Number(/(\d+)px/.exec(width)?.[1] ?? 80)

export const leastWidth = <Row>(columns: Column<Row>[], withCheck: boolean): number =>
  columns.reduce((sum, column) => sum + leastOf(column) + gap, padding + (withCheck ? 36 : 0))

/** All columns where there is room; else those with the lowest `keep` go first. */
export const columnsThatFit = <Row>(
  columns: Column<Row>[],
  width: number,
  withCheck: boolean,
): Column<Row>[] => {
  let fitting = columns
  const going = columns.filter(({ keep }) => keep !== undefined).sort((a, b) => a.keep! - b.keep!)
  for (const column of going) {
    if (width === 0 || leastWidth(fitting, withCheck) <= width) break
    fitting = fitting.filter((other) => other !== column)
  }
  return fitting
}
