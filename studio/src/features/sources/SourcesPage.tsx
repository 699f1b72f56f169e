import { Button } from '@mantine/core'
import { useCallback, useMemo } from 'react'
import { useAddress } from '../../address.ts'
import { useCan } from '../../api/access.ts'
import { usePages } from '../../api/queries.ts'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorState } from '../../components/ErrorState.tsx'
import { FilterBar } from '../../components/filters/FilterBar.tsx'
import { type FilterField, filterQuery, filtersIn } from '../../components/filters/filter.ts'
import { formatNumber } from '../../components/format.ts'
import { useLeaving } from '../../components/leaving.ts'
import { PageHead } from '../../components/PageHead.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import { t } from '../../texts/index.ts'
import { FollowPanel } from './FollowPanel.tsx'
import { useFetchNow } from './fetch-now.ts'
import { SourcePanel } from './SourcePanel.tsx'
import classes from './Sources.module.css'
import { followed, momentOf, type Source, stateOf } from './source.ts'
import { SourceTabs } from './Tabs.tsx'
import { useAskedAgain } from './use-asked-again.ts'

const useSourceFields = (): FilterField[] =>
  useMemo(
    () => [
      {
        name: 'label',
        title: t.sources.kind,
        type: 'choice',
        operators: ['in'],
        choices: Object.entries(t.sources.kinds).map(([value, label]) => ({ value, label })),
      },
      { name: 'active', title: t.sources.active, type: 'boolean', operators: ['eq'] },
      { name: 'favorite', title: t.sources.favorite, type: 'boolean', operators: ['eq'] },
      { name: 'tag', title: t.sources.tag, type: 'text', operators: ['eq'] },
    ],
    [],
  )

const FetchNow = ({ source }: { source: Source }) => {
  const { fetchNow, isFetching } = useFetchNow(source)
  return (
    <Button size="compact-xs" variant="default" loading={isFetching} onClick={fetchNow}>
      {t.sources.fetchNow}
    </Button>
  )
}

const useColumns = (mayFetch: boolean): Column<Source>[] =>
  useMemo(() => {
    const columns: Column<Source>[] = [
      {
        key: 'name',
        title: t.sources.name,
        width: 'minmax(180px, 2fr)',
        sortKey: 'name',
        small: 'first',
        render: ({ name }) => (
          <span className={classes.title} dir="auto">
            {name}
          </span>
        ),
      },
      {
        key: 'kind',
        title: t.sources.kind,
        width: '110px',
        keep: 3,
        render: ({ label }) => t.sources.kinds[label],
      },
      {
        key: 'followed',
        title: t.sources.followed,
        width: 'minmax(120px, 1fr)',
        keep: 2,
        render: followed,
      },
      {
        key: 'state',
        title: t.sources.state,
        width: '150px',
        keep: 6,
        small: 'second',
        render: (source) => {
          const { meaning, words } = stateOf(source)
          return <StatusMark meaning={meaning}>{words}</StatusMark>
        },
      },
      {
        key: 'activity',
        title: t.sources.activity,
        width: '80px',
        keep: 4,
        align: 'right',
        render: ({ frequency }) => formatNumber(frequency),
      },
      {
        key: 'fetched',
        title: t.sources.lastFetch,
        width: '120px',
        keep: 5,
        small: 'second',
        render: ({ fetched_on }) => <RelativeTime at={momentOf(fetched_on)} />,
      },
    ]
    const fetch: Column<Source> = {
      key: 'fetch',
      title: '',
      width: '100px',
      keep: 1,
      align: 'right',
      render: (source) => <FetchNow source={source} />,
    }
    return mayFetch ? [...columns, fetch] : columns
  }, [mayFetch])

/** What is followed, and how it does. */
const SourcesPage = () => {
  const [address, change] = useAddress()
  const can = useCan()
  const mayWrite = can('sources_publish')
  const fields = useSourceFields()
  const filter = { ...filterQuery(filtersIn(address, fields)), ...(address.q && { q: address.q }) }
  const list = usePages('/v5/sources', { ...filter, ...(address.sort && { sort: address.sort }) })
  const leaving = useLeaving()
  const rows = useMemo(() => list.rows.filter(({ id }) => !leaving.has(id)), [list.rows, leaving])
  const columns = useColumns(mayWrite)
  const search = useCallback((q: string) => change({ q: q || undefined }, { replace: true }), [change])
  useAskedAgain()
  const openSource = (id: string, edit?: string) =>
    change({ peek: id, edit, follow: undefined }, { replace: address.peek !== undefined })
  const close = () => change({ peek: undefined, edit: undefined, follow: undefined })
  const follow = mayWrite && (
    <Button size="xs" onClick={() => change({ follow: 'Rss', peek: undefined, edit: undefined })}>
      {t.sources.follow}
    </Button>
  )
  const isBare = Object.keys(filter).length === 0
  return (
    <div className={classes.page}>
      <PageHead
        title={t.areas.sources}
        hint={list.total === undefined ? undefined : formatNumber(list.total)}
        below={<SourceTabs active="followed" />}
      >
        {follow}
      </PageHead>
      <FilterBar fields={fields} address={address} change={change}>
        <SearchField
          label={t.sources.searchSources}
          value={address.q ?? ''}
          onChange={search}
          className={classes.search}
        />
      </FilterBar>
      <div className={classes.split}>
        <div className={classes.list}>
          {list.error ? (
            <ErrorState error={list.error} retry={list.retry} />
          ) : list.total === 0 && !list.isPlaceholder ? (
            <EmptyState
              title={isBare ? t.sources.followSome : t.sources.noMatch}
              hint={isBare ? t.sources.followSomeHint : t.sources.noMatchHint}
            >
              {isBare && follow}
            </EmptyState>
          ) : (
            <DataTable
              label={t.sources.sourcesLabel}
              rows={rows}
              columns={columns}
              nameOf={({ name }) => name}
              total={list.total}
              loading={list.isLoading}
              hasMore={list.hasMore}
              loadMore={list.loadMore}
              openKey={address.peek}
              onOpen={({ id }) => openSource(id)}
              onEdit={({ id }) => mayWrite && openSource(id, '1')}
              onClose={close}
              sort={address.sort}
              onSort={(sort) => change({ sort })}
            />
          )}
        </div>
        <SourcePanel
          id={address.follow === undefined ? address.peek : undefined}
          isEdited={address.edit !== undefined && mayWrite}
          onEdit={(isEdited) => change({ edit: isEdited ? '1' : undefined })}
          onClose={close}
        />
        <FollowPanel
          kind={mayWrite ? address.follow : undefined}
          onClose={close}
          onMade={(id) => change({ follow: undefined, peek: id }, { replace: true })}
        />
      </div>
    </div>
  )
}

export default SourcesPage
