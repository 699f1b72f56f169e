import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useAddress } from '../../../address.ts'
import { useCan } from '../../../api/access.ts'
import { usePages } from '../../../api/queries.ts'
import { type Column, DataTable } from '../../../components/DataTable.tsx'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { FilterBar } from '../../../components/filters/FilterBar.tsx'
import { filterQuery, filtersIn } from '../../../components/filters/filter.ts'
import { formatNumber } from '../../../components/format.ts'
import { PageHead } from '../../../components/PageHead.tsx'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { SearchField } from '../../../components/SearchField.tsx'
import { StatusMark } from '../../../components/StatusMark.tsx'
import { useOpen } from '../../../frame/links.ts'
import { t } from '../../../texts/index.ts'
import classes from '../Audience.module.css'
import { AudienceTabs } from '../AudienceTabs.tsx'
import type { Segment } from './use-segment.ts'

const columnsOf = (): Column<Segment>[] => [
  {
    key: 'body',
    title: t.audience.name,
    width: 'minmax(200px, 3fr)',
    small: 'first',
    sortKey: 'body',
    render: (row) => (
      <Link
        to="/audience/segments/$id"
        params={{ id: row.id } as never}
        className={`${classes.name} ellipsis`}
        dir="auto"
      >
        {row.body}
      </Link>
    ),
  },
  {
    key: 'total',
    title: t.audience.members,
    width: '110px',
    align: 'right',
    small: 'second',
    render: (row) => formatNumber(row.total),
  },
  {
    key: 'status',
    keep: 3,
    title: t.audience.status,
    width: '150px',
    small: 'second',
    render: (row) => (
      <StatusMark meaning={row.status === 'ready' ? 'done' : 'waiting'}>{t.audience[row.status]}</StatusMark>
    ),
  },
  {
    key: 'last_seen',
    keep: 2,
    title: t.audience.lastSeen,
    width: '120px',
    sortKey: 'last_seen',
    render: (row) => <RelativeTime at={row.last_seen} />,
  },
  {
    key: 'created_on',
    keep: 1,
    title: t.audience.createdOn,
    width: '120px',
    sortKey: 'created_on',
    render: (row) => <RelativeTime at={row.created_on} />,
  },
]

const fieldsOf = () =>
  (['created_on', 'changed_on', 'last_seen'] as const).map((name) => ({
    name,
    title: {
      created_on: t.audience.createdOn,
      changed_on: t.audience.changedOn,
      last_seen: t.audience.lastSeen,
    }[name],
    type: 'date' as const,
    operators: ['il', 'gt', 'lt'] as ('il' | 'gt' | 'lt')[],
  }))

const SegmentsPage = () => {
  const [address, change] = useAddress()
  const can = useCan()
  const open = useOpen()
  const columns = useMemo(columnsOf, [])
  const fields = useMemo(fieldsOf, [])
  const { q, sort } = address
  const filter = { ...filterQuery(filtersIn(address, fields)), ...(q && { q }) }
  const list = usePages('/segments', { ...filter, ...(sort && { sort }) })
  const search = useCallback(
    (typed: string) => change({ q: typed || undefined }, { replace: true }),
    [change],
  )
  const create = can('segments_publish') && (
    <Button
      size="xs"
      component={Link}
      {...({ to: '/audience/segments/$id', params: { id: 'new' } } as object)}
    >
      {t.audience.newSegment}
    </Button>
  )
  return (
    <div className={classes.page}>
      <PageHead
        title={t.areas.audience}
        hint={list.total === undefined ? undefined : formatNumber(list.total)}
        below={<AudienceTabs current="segments" />}
      >
        {create}
      </PageHead>
      <FilterBar fields={fields} address={address} change={change}>
        <SearchField
          label={t.audience.segmentSearch}
          value={q ?? ''}
          onChange={search}
          className={classes.search}
        />
      </FilterBar>
      <div className={classes.split}>
        <div className={classes.list}>
          {list.error ? (
            <ErrorState error={list.error} retry={list.retry} />
          ) : list.total === 0 && Object.keys(filter).length > 0 ? (
            <EmptyState title={t.audience.noSegmentFits} />
          ) : list.total === 0 ? (
            <EmptyState title={t.audience.firstSegment} hint={t.audience.firstSegmentHint}>
              {create}
            </EmptyState>
          ) : (
            <DataTable
              label={t.audience.segments}
              rows={list.rows}
              columns={columns}
              nameOf={({ body }) => body}
              total={list.total}
              loading={list.isLoading}
              hasMore={list.hasMore}
              loadMore={list.loadMore}
              onOpen={({ id }) => open('segments', id)}
              onEdit={({ id }) => open('segments', id)}
              sort={sort}
              onSort={(next) => change({ sort: next })}
            />
          )}
        </div>
      </div>
    </div>
  )
}

export default SegmentsPage
