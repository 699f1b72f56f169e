import type { Column } from '../../components/DataTable.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { t } from '../../texts/index.ts'
import classes from './Settings.module.css'

type Dated = { created_on: string; changed_on: string | null }

/** The name of a record, under the property that it has. */
export const nameColumn = <Row,>(key: keyof Row & string): Column<Row> => ({
  key,
  title: t.settings.name,
  width: 'minmax(140px, 2fr)',
  sortKey: key,
  small: 'first',
  render: (row) => <span className={`${classes.name} ellipsis`}>{String(row[key])}</span>,
})

export const changedColumn = <Row extends Dated>(): Column<Row> => ({
  key: 'changed_on',
  title: t.settings.changedOn,
  width: '130px',
  sortKey: 'changed_on',
  keep: 1,
  small: 'second',
  render: ({ changed_on, created_on }) => <RelativeTime at={changed_on ?? created_on} />,
})
