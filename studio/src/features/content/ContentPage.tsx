import { useCallback, useState } from 'react'
import { type Address, useAddress } from '../../address.ts'
import { useEnvironment, useMe } from '../../api/access.ts'
import { usePages } from '../../api/queries.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { ErrorState } from '../../components/ErrorState.tsx'
import { FilterBar } from '../../components/filters/FilterBar.tsx'
import { type FilterField, filterQuery, filtersIn } from '../../components/filters/filter.ts'
import { formatNumber } from '../../components/format.ts'
import { PageHead } from '../../components/PageHead.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { useOpen } from '../../frame/links.ts'
import { t } from '../../texts/index.ts'
import { BulkBar } from './BulkBar.tsx'
import classes from './Content.module.css'
import { useContentColumns } from './columns.tsx'
import { useContentFields } from './fields.ts'
import { NewPublication } from './NewPublication.tsx'
import { NothingHere } from './NothingHere.tsx'
import { Peek } from './Peek.tsx'
import { rowFields, titleOf } from './row.ts'
import { ViewTabs } from './ViewTabs.tsx'
import { impliedBy } from './views.ts'

const nothing: ReadonlySet<string> = new Set()

/** Everything that narrows the list, as it is asked for. */
const useFilter = (address: Address, fields: FilterField[]): Record<string, string> => {
  const me = useMe()
  const { q, locale, view } = address
  return {
    ...filterQuery(filtersIn(address, fields)),
    ...impliedBy(view, me?.id),
    ...(q && { q }),
    ...(locale && { locale }),
  }
}

const ContentPage = () => {
  const [address, change] = useAddress()
  const environment = useEnvironment()
  const fields = useContentFields(address)
  const filter = useFilter(address, fields)
  const list = usePages('/publications', {
    ...filter,
    ...(address.sort && { sort: address.sort }),
    fields: rowFields,
  })
  const [chosen, setChosen] = useState(nothing)
  const open = useOpen()
  const locale = address.locale ?? environment?.default_locale
  const columns = useContentColumns(locale)
  const search = useCallback((q: string) => change({ q: q || undefined }, { replace: true }), [change])
  const isBare = Object.keys(filter).length === 0
  return (
    <div className={classes.page}>
      <PageHead
        title={t.areas.content}
        hint={list.total === undefined ? undefined : formatNumber(list.total)}
        below={<ViewTabs address={address} />}
      >
        <NewPublication />
      </PageHead>
      <FilterBar fields={fields} address={address} change={change}>
        <SearchField
          label={t.content.search}
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
            <NothingHere isBare={isBare} />
          ) : (
            <DataTable
              label={t.content.listLabel}
              rows={list.rows}
              columns={columns}
              nameOf={(row) => titleOf(row, locale)}
              total={list.total}
              loading={list.isLoading}
              hasMore={list.hasMore}
              loadMore={list.loadMore}
              chosen={chosen}
              onChoose={setChosen}
              openKey={address.peek}
              onOpen={({ id }) => change({ peek: id }, { replace: address.peek !== undefined })}
              onClose={() => change({ peek: undefined })}
              onEdit={({ id }) => open('publications', id)}
              sort={address.sort}
              onSort={(sort) => change({ sort })}
            />
          )}
          {chosen.size > 0 && (
            <BulkBar
              chosen={chosen}
              filter={filter}
              rows={list.rows}
              total={list.total ?? 0}
              onDone={() => setChosen(nothing)}
            />
          )}
        </div>
        <Peek id={address.peek} locale={locale} onClose={() => change({ peek: undefined })} />
      </div>
    </div>
  )
}

export default ContentPage
