import { Checkbox } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import { t } from '../texts/index.ts'
import classes from './DataTable.module.css'
import type { Column } from './DataTable.tsx'
import type { RowHandle } from './use-rows.ts'

type Props<Row> = {
  row: Row
  id: string
  index: number
  top: number
  height: number
  small: boolean
  columns: Column<Row>[]
  name: string
  chosen: boolean | undefined
  open: boolean
  tabbable: boolean
  handle: RowHandle
}

const Cells = <Row,>({ row, columns }: { row: Row; columns: Column<Row>[] }): ReactNode =>
  columns.map(({ key, render, align }) => (
    <div key={key} role="gridcell" className={classes.cell} data-align={align}>
      {render(row)}
    </div>
  ))

const TwoLines = <Row,>({ row, columns }: { row: Row; columns: Column<Row>[] }) => (
  <div role="gridcell" className={classes.lines}>
    <div className={classes.first}>
      {columns
        .filter(({ small }) => small === 'first')
        .map(({ key, render }) => (
          <span key={key}>{render(row)}</span>
        ))}
    </div>
    <div className={classes.second}>
      {columns
        .filter(({ small }) => small === 'second')
        .map(({ key, render }) => (
          <span key={key}>{render(row)}</span>
        ))}
    </div>
  </div>
)

const Row = <Row,>({
  row,
  id,
  index,
  top,
  height,
  small,
  columns,
  name,
  chosen,
  open,
  tabbable,
  handle,
}: Props<Row>) => (
  <div
    role="row"
    aria-rowindex={index + 2}
    aria-selected={chosen}
    tabIndex={tabbable ? 0 : -1}
    data-index={index}
    data-open={open || undefined}
    className={small ? classes.smallRow : classes.row}
    style={{ height, transform: `translateY(${top}px)` }}
    onClick={(event) => handle.click(index, event)}
    onKeyDown={(event) => handle.key(index, event)}
    onFocus={() => handle.activate(index)}
  >
    {chosen !== undefined && (
      <div role="gridcell" className={classes.check}>
        <Checkbox
          size="xs"
          tabIndex={-1}
          aria-label={t.table.choose(name)}
          checked={chosen}
          onChange={(event) => handle.choose(id, index, (event.nativeEvent as MouseEvent).shiftKey)}
        />
      </div>
    )}
    {small ? <TwoLines row={row} columns={columns} /> : <Cells row={row} columns={columns} />}
  </div>
)

export const DataRow = memo(Row) as typeof Row
