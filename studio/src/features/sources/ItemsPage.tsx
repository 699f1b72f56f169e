import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useAddress } from '../../address.ts'
import { useCan } from '../../api/access.ts'
import { api } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorState } from '../../components/ErrorState.tsx'
import { FilterBar } from '../../components/filters/FilterBar.tsx'
import { type Choice, type FilterField, filterQuery, filtersIn } from '../../components/filters/filter.ts'
import { formatNumber } from '../../components/format.ts'
import { PageHead } from '../../components/PageHead.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import { useOpen } from '../../frame/links.ts'
import { t } from '../../texts/index.ts'
import { useDraft } from './draft.tsx'
import { ItemPanel } from './ItemPanel.tsx'
import classes from './Sources.module.css'
import { nameOfItem, type SourceItem } from './source.ts'
import { SourceTabs } from './Tabs.tsx'
import { useAskedAgain } from './use-asked-again.ts'

const findSources = async (typed: string): Promise<Choice[]> => {
  const query = { limit: 100, total: false, sort: ['name' as const], ...(typed && { q: typed }) }
  const { items } = await api.get('/v5/sources', { query })
  return items.map(({ id, name }) => ({ value: id, label: name }))
}

const useItemFields = (): FilterField[] =>
  useMemo(
    () => [
      {
        name: 'source_ids_or',
        title: t.sources.source,
        type: 'choice',
        operators: ['in'],
        find: findSources,
      },
      {
        name: 'label',
        title: t.sources.kind,
        type: 'choice',
        operators: ['in'],
        choices: Object.entries(t.sources.kinds).map(([value, label]) => ({ value, label })),
      },
      { name: 'published_on', title: t.sources.publishedOn, type: 'date', operators: ['gt', 'lt'] },
      { name: 'publication', title: t.sources.hasDraft, type: 'boolean', operators: ['has'] },
    ],
    [],
  )

const useColumns = (): Column<SourceItem>[] =>
  useMemo(
    () => [
      {
        key: 'title',
        title: t.sources.itemTitle,
        width: 'minmax(220px, 3fr)',
        small: 'first',
        render: (item) => (
          <span className={classes.title} dir="auto">
            {nameOfItem(item).slice(0, 300)}
          </span>
        ),
      },
      {
        key: 'source',
        title: t.sources.source,
        width: 'minmax(120px, 1fr)',
        keep: 3,
        small: 'second',
        render: ({ source }) => source.name,
      },
      {
        key: 'author',
        title: t.sources.author,
        width: 'minmax(100px, 1fr)',
        keep: 1,
        render: ({ author, source }) => author !== source.name && author,
      },
      {
        key: 'draft',
        title: t.kinds.publications,
        width: '90px',
        keep: 4,
        small: 'second',
        render: ({ publication }) => publication && <StatusMark meaning="done">{t.sources.draft}</StatusMark>,
      },
      {
        key: 'published_on',
        title: t.sources.publishedOn,
        width: '120px',
        sortKey: 'published_on',
        small: 'second',
        render: ({ published_on }) => <RelativeTime at={published_on} />,
      },
    ],
    [],
  )

/** The reading list: what the followed sources brought, the newest first. */
const ItemsPage = () => {
  const [address, change] = useAddress()
  const fields = useItemFields()
  const filter = { ...filterQuery(filtersIn(address, fields)), ...(address.q && { q: address.q }) }
  const list = usePages('/v5/sources/items', { ...filter, ...(address.sort && { sort: address.sort }) })
  const search = useCallback((q: string) => change({ q: q || undefined }, { replace: true }), [change])
  const open = useOpen()
  const can = useCan()
  const { make } = useDraft()
  const columns = useColumns()
  useAskedAgain()
  const edit = (item: SourceItem) => {
    if (item.publication) open('publications', item.publication.id)
    else if (can('publications_publish')) make(item)
  }
  return (
    <div className={classes.page}>
      <PageHead
        title={t.areas.sources}
        hint={list.total === undefined ? undefined : formatNumber(list.total)}
        below={<SourceTabs active="reading" />}
      >
        <FollowLink />
      </PageHead>
      <FilterBar fields={fields} address={address} change={change}>
        <SearchField
          label={t.sources.searchItems}
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
            <Nothing isBare={Object.keys(filter).length === 0} />
          ) : (
            <DataTable
              label={t.sources.itemsLabel}
              rows={list.rows}
              columns={columns}
              nameOf={nameOfItem}
              total={list.total}
              loading={list.isLoading}
              hasMore={list.hasMore}
              loadMore={list.loadMore}
              openKey={address.peek}
              onOpen={({ id }) => change({ peek: id }, { replace: address.peek !== undefined })}
              onClose={() => change({ peek: undefined })}
              onEdit={edit}
              sort={address.sort}
              onSort={(sort) => change({ sort })}
            />
          )}
        </div>
        <ItemPanel id={address.peek} onClose={() => change({ peek: undefined })} />
      </div>
    </div>
  )
}

const FollowLink = () => {
  const can = useCan()
  if (!can('sources_publish')) return null
  return (
    <Button
      component={Link}
      {...({ to: '/sources/followed', search: { follow: 'Rss' } } as object)}
      size="xs"
    >
      {t.sources.follow}
    </Button>
  )
}

const Nothing = ({ isBare }: { isBare: boolean }) =>
  isBare ? (
    <EmptyState title={t.sources.nothingYet} hint={t.sources.nothingYetHint}>
      <FollowLink />
    </EmptyState>
  ) : (
    <EmptyState title={t.sources.noMatch} hint={t.sources.noMatchHint}>
      <Button component={Link} {...({ to: '/sources', search: {} } as object)} variant="default">
        {t.sources.showAll}
      </Button>
    </EmptyState>
  )

export default ItemsPage
