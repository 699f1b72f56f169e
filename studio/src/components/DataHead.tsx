import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import classes from './DataTable.module.css'
import type { Column } from './DataTable.tsx'

type Props<Row> = {
  column: Column<Row>
  sort: string | undefined
  onSort: ((sort: string | undefined) => void) | undefined
}

/** The title of a column; where it sorts, newest first, then oldest first, then not. */
export const DataHead = <Row,>({ column: { title, align, sortKey }, sort, onSort }: Props<Row>) => {
  const direction = sort === sortKey ? 'ascending' : sort === `-${sortKey}` ? 'descending' : 'none'
  if (!sortKey || !onSort)
    return (
      <div role="columnheader" className="ellipsis" data-align={align}>
        {title}
      </div>
    )
  const next = { none: `-${sortKey}`, descending: sortKey, ascending: undefined }[direction]
  const Arrow = direction === 'ascending' ? IconArrowUp : IconArrowDown
  return (
    <div role="columnheader" data-align={align} aria-sort={direction}>
      <UnstyledButton className={classes.sort} onClick={() => onSort(next)}>
        {title}
        {direction !== 'none' && <Arrow size={12} aria-hidden />}
      </UnstyledButton>
    </div>
  )
}
