import { Button } from '@mantine/core'
import { useCallback, useMemo } from 'react'
import { useAddress } from '../../../address.ts'
import { useCan } from '../../../api/access.ts'
import { api } from '../../../api/client.ts'
import { usePages } from '../../../api/queries.ts'
import { DataTable } from '../../../components/DataTable.tsx'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { FilterBar } from '../../../components/filters/FilterBar.tsx'
import { type Choice, type FilterField, filterQuery, filtersIn } from '../../../components/filters/filter.ts'
import { formatNumber } from '../../../components/format.ts'
import { useLeaving } from '../../../components/leaving.ts'
import { PageHead } from '../../../components/PageHead.tsx'
import { SearchField } from '../../../components/SearchField.tsx'
import { t } from '../../../texts/index.ts'
import { ImportButton } from '../import/ImportButton.tsx'
import classes from '../Music.module.css'
import { MusicTabs } from '../MusicTabs.tsx'
import { useColumns } from './columns.tsx'
import { Duplicates } from './Duplicates.tsx'
import { RecordPanel } from './RecordPanel.tsx'
import { type Kind, type Music, rowFields } from './record.ts'

const find =
  (path: '/tags' | '/v5/artists') =>
  async (typed: string): Promise<Choice[]> => {
    const query = { limit: 100, total: false, ...(typed && { q: typed }) }
    const { items } = await api.get(path, { query } as never)
    return (items as { id: string; body: string }[]).map(({ id, body }) => ({ value: id, label: body }))
  }

const useFields = (kind: Kind): FilterField[] =>
  useMemo(() => {
    const common: FilterField[] = [
      {
        name: 'status',
        title: t.music.status,
        type: 'choice',
        operators: ['in'],
        choices: Object.entries(t.music.statuses).map(([value, label]) => ({ value, label })),
      },
      {
        name: 'tags',
        title: t.music.tags,
        type: 'choice',
        operators: ['in', 'all', 'has'],
        find: find('/tags'),
      },
      { name: 'cover', title: t.music.cover, type: 'boolean', operators: ['has'] },
      { name: 'reference_unique', title: t.music.reference, type: 'text', operators: ['eq', 'sw', 'has'] },
      { name: 'changed_on', title: t.music.changed, type: 'date', operators: ['gt', 'lt'] },
    ]
    const ofTracks: FilterField[] = [
      {
        name: 'artists',
        title: t.music.artistsOf,
        type: 'choice',
        operators: ['in', 'all', 'has'],
        find: find('/v5/artists'),
      },
      { name: 'isrc', title: t.music.isrc, type: 'text', operators: ['eq', 'has'] },
    ]
    return kind === 'tracks' ? [...common, ...ofTracks] : common
  }, [kind])

/** Artists or tracks. */
export const CataloguePage = ({ kind }: { kind: Kind }) => {
  const [address, change] = useAddress()
  const mayWrite = useCan()('content_items_publish')
  const fields = useFields(kind)
  const filter = { ...filterQuery(filtersIn(address, fields)), ...(address.q && { q: address.q }) }
  const list = usePages(`/v5/${kind}`, {
    ...filter,
    ...(address.sort && { sort: address.sort }),
    fields: rowFields[kind],
  })
  const leaving = useLeaving()
  const found = list.rows as unknown as Music[]
  const rows = useMemo(() => found.filter(({ id }) => !leaving.has(id)), [found, leaving])
  const columns = useColumns(kind)
  const search = useCallback((q: string) => change({ q: q || undefined }, { replace: true }), [change])
  const open = ({ id }: Music) => change({ peek: id }, { replace: address.peek !== undefined })
  const close = () => change({ peek: undefined })
  const isTracks = kind === 'tracks'
  const isBare = Object.keys(filter).length === 0
  const isAlike = mayWrite && address.duplicates !== undefined
  const make = mayWrite && (
    <Button size="xs" onClick={() => change({ peek: 'new' })}>
      {isTracks ? t.music.newTrack : t.music.newArtist}
    </Button>
  )
  return (
    <div className={classes.page}>
      <PageHead
        title={t.areas.music}
        hint={list.total === undefined ? undefined : formatNumber(list.total)}
        below={<MusicTabs active={kind} />}
      >
        {mayWrite && <ImportButton kind={kind} />}
        {make}
      </PageHead>
      <FilterBar fields={fields} address={address} change={change}>
        <SearchField
          label={isTracks ? t.music.searchTracks : t.music.searchArtists}
          value={address.q ?? ''}
          onChange={search}
          className={classes.search}
        />
        {mayWrite && (
          <Button
            size="compact-sm"
            variant={isAlike ? 'light' : 'default'}
            aria-pressed={isAlike}
            onClick={() => change({ duplicates: isAlike ? undefined : '1', peek: undefined })}
          >
            {t.music.duplicates}
          </Button>
        )}
      </FilterBar>
      {isAlike ? (
        <Duplicates kind={kind} by={address.duplicates!} onBy={(by) => change({ duplicates: by })} />
      ) : (
        <div className={classes.split}>
          <div className={classes.list}>
            {list.error ? (
              <ErrorState error={list.error} retry={list.retry} />
            ) : list.total === 0 && !list.isPlaceholder ? (
              <EmptyState
                title={isBare ? (isTracks ? t.music.emptyTracks : t.music.emptyArtists) : t.music.noMatch}
                hint={isBare ? t.music.emptyHint : t.music.noMatchHint}
              >
                {isBare && make}
              </EmptyState>
            ) : (
              <DataTable
                label={t.music[kind]}
                rows={rows}
                columns={columns}
                nameOf={({ body }) => body}
                total={list.total}
                loading={list.isLoading}
                hasMore={list.hasMore}
                loadMore={list.loadMore}
                openKey={address.peek}
                onOpen={open}
                onEdit={open}
                onClose={close}
                sort={address.sort}
                onSort={(sort) => change({ sort })}
              />
            )}
          </div>
          <RecordPanel
            kind={kind}
            id={mayWrite || address.peek !== 'new' ? address.peek : undefined}
            onClose={close}
            onMade={(id) => change({ peek: id }, { replace: true })}
          />
        </div>
      )}
    </div>
  )
}
