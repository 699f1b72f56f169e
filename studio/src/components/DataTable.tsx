import { Checkbox } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { t } from '../texts/index.ts'
import { columnsThatFit, leastWidth } from './columns-that-fit.ts'
import { DataHead } from './DataHead.tsx'
import { DataRow } from './DataRow.tsx'
import classes from './DataTable.module.css'
import { useIsSmall } from './small.ts'
import { useRows } from './use-rows.ts'

export type Column<Row> = {
  key: string
  title: string
  render: (row: Row) => ReactNode
  /** A track of a grid, such as `160px` or `minmax(120px, 1fr)`. */
  width?: string
  /** Where there is no room for all, the column with the lowest goes first; one without always stays. */
  keep?: number
  /** The list can be sorted by it, under this name. */
  sortKey?: string
  /** Figures stand at the right. */
  align?: 'right'
  /** Where it stands in the two lines of a small window; not shown there unless told. */
  small?: 'first' | 'second'
}

export type DataTableProps<Row> = {
  label: string
  rows: Row[]
  columns: Column<Row>[]
  /** Called only for what is shown. */
  nameOf: (row: Row) => string
  keyOf?: (row: Row) => string
  total?: number | undefined
  loading?: boolean
  hasMore?: boolean | undefined
  loadMore?: () => void
  /** Rows can be chosen where this is given. */
  chosen?: ReadonlySet<string>
  onChoose?: (chosen: ReadonlySet<string>) => void
  /** Enter, or a click beside a link. */
  onOpen?: (row: Row) => void
  /** E. */
  onEdit?: (row: Row) => void
  /** Escape. */
  onClose?: () => void
  /** The row that is open beside the table. */
  openKey?: string | undefined
  /** The row that is scrolled to once it is there. */
  startAt?: string | undefined
  compact?: boolean
  /** As a list takes it: `-changed_on`. */
  sort?: string | undefined
  onSort?: (sort: string | undefined) => void
}

const idOf = (row: unknown): string => (row as { id: string }).id

/** Rows by the thousand: only those in view are there. J and K walk, X chooses, Enter opens, E edits. */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { rows, label, total, chosen, onChoose, hasMore, loadMore, keyOf = idOf } = props
  const small = useIsSmall('phone')
  const height = small ? 60 : props.compact ? 32 : 40
  const scroller = useRef<HTMLDivElement>(null)
  const { ref: measured, width } = useElementSize()
  const wanted = props.columns
  const columns = useMemo(
    () => (small ? wanted : columnsThatFit(wanted, width, onChoose !== undefined)),
    [wanted, width, small, onChoose],
  )
  const least = small ? 0 : leastWidth(columns, onChoose !== undefined)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => keyOf(rows[index]!),
    overscan: 12,
  })
  useEffect(() => {
    if (height) virtual.measure()
  }, [virtual, height])
  const handle = useRows({ ...props, keyOf, scroller, scrollTo: (index) => virtual.scrollToIndex(index) })
  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && last >= rows.length - 20) loadMore?.()
  }, [hasMore, last, rows.length, loadMore])

  const { startAt } = props
  const start = startAt === undefined ? -1 : rows.findIndex((row) => keyOf(row) === startAt)
  const started = useRef(false)
  useEffect(() => {
    if (start < 0 || started.current) return
    started.current = true
    virtual.scrollToIndex(start, { align: 'center' })
  }, [virtual, start])

  const tracks = columns.map(({ width }) => width ?? 'minmax(80px, 1fr)').join(' ')
  const template = onChoose ? `36px ${tracks}` : tracks
  const all = rows.length > 0 && rows.every((row) => chosen?.has(keyOf(row)))
  return (
    <div
      ref={useMergedRef(scroller, measured)}
      className={classes.table}
      role="grid"
      aria-label={label}
      aria-rowcount={(total ?? rows.length) + 1}
      aria-multiselectable={onChoose ? true : undefined}
      data-compact={props.compact || undefined}
      style={{ '--columns': template, '--least': `${least}px` } as never}
    >
      <div role="row" className={small ? classes.smallHead : classes.head} aria-rowindex={1}>
        {onChoose && (
          <div role="columnheader" className={classes.check} aria-label={t.table.chooseAll}>
            {!small && (
              <Checkbox
                size="xs"
                aria-label={t.table.chooseAll}
                checked={all}
                indeterminate={!all && (chosen?.size ?? 0) > 0}
                onChange={() => onChoose(all ? new Set() : new Set(rows.map(keyOf)))}
              />
            )}
          </div>
        )}
        {columns.map((column) => (
          <DataHead key={column.key} column={column} sort={props.sort} onSort={props.onSort} />
        ))}
      </div>
      <div role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, key, start }) => (
          <DataRow
            key={key}
            row={rows[index]!}
            index={index}
            top={start}
            height={height}
            small={small}
            columns={columns}
            name={props.nameOf(rows[index]!)}
            id={keyOf(rows[index]!)}
            chosen={onChoose ? (chosen?.has(keyOf(rows[index]!)) ?? false) : undefined}
            open={props.openKey !== undefined && props.openKey === keyOf(rows[index]!)}
            tabbable={handle.isActive(index)}
            handle={handle}
          />
        ))}
      </div>
    </div>
  )
}
