import { Link } from '@tanstack/react-router'
import type { Column } from '../../../components/DataTable.tsx'
import { formatNumber } from '../../../components/format.ts'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { t } from '../../../texts/index.ts'
import classes from '../Audience.module.css'
import { type Person, personName } from '../person.ts'

const short = (names: string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} +${names.length - 3}` : names.join(', ')

export const personColumns = (): Column<Person>[] => [
  {
    key: 'name',
    title: t.audience.name,
    width: 'minmax(180px, 2fr)',
    small: 'first',
    sortKey: 'last_name',
    render: (row) => (
      <Link
        to="/audience/persons/$id"
        params={{ id: row.id } as never}
        className={`${classes.name} ellipsis`}
        dir="auto"
      >
        {personName(row)}
      </Link>
    ),
  },
  {
    key: 'email',
    keep: 4,
    title: t.audience.email,
    width: 'minmax(160px, 2fr)',
    small: 'second',
    render: (row) => row.emails?.items?.[0]?.email ?? '',
  },
  {
    key: 'tags',
    keep: 2,
    title: t.audience.tags,
    width: 'minmax(120px, 2fr)',
    render: (row) => short((row.tags?.items ?? []).map(({ body }) => body)),
  },
  {
    key: 'age',
    keep: 1,
    title: t.audience.age,
    width: '70px',
    align: 'right',
    render: (row) => (row.age == null ? '' : formatNumber(row.age)),
  },
  {
    key: 'last_seen',
    keep: 5,
    title: t.audience.lastSeen,
    width: '120px',
    small: 'second',
    render: (row) => <RelativeTime at={row.last_seen} />,
  },
  {
    key: 'created_on',
    keep: 3,
    title: t.audience.createdOn,
    width: '120px',
    sortKey: 'created_on',
    render: (row) => <RelativeTime at={row.created_on} />,
  },
]
