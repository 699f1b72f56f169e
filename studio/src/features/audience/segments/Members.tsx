import { useCallback, useMemo } from 'react'
import { useAddress } from '../../../address.ts'
import { usePages } from '../../../api/queries.ts'
import { DataTable } from '../../../components/DataTable.tsx'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { conditionQuery } from '../../../components/filters/conditions.ts'
import { FilterBar } from '../../../components/filters/FilterBar.tsx'
import { filtersIn } from '../../../components/filters/filter.ts'
import { SearchField } from '../../../components/SearchField.tsx'
import { useOpen } from '../../../frame/links.ts'
import { t } from '../../../texts/index.ts'
import classes from '../Audience.module.css'
import { listFields } from '../fields.ts'
import { personName, rowFields } from '../person.ts'
import { personColumns } from '../persons/columns.tsx'
import type { Segment } from './use-segment.ts'
import { Why } from './Why.tsx'

/** Who is in it, with why beside. */
export const Members = ({ segment }: { segment: Segment }) => {
  const [address, change] = useAddress()
  const open = useOpen()
  const fields = useMemo(listFields, [])
  const columns = useMemo(personColumns, [])
  const filter = {
    ...conditionQuery(filtersIn(address, fields)),
    ...(address.q && { q: address.q }),
  }
  const path = `/segments/${encodeURIComponent(segment.id)}/persons` as '/segments/{id}/persons'
  const list = usePages(path, { ...filter, ...(address.sort && { sort: address.sort }), fields: rowFields })
  const search = useCallback((q: string) => change({ q: q || undefined }, { replace: true }), [change])
  const isBare = Object.keys(filter).length === 0
  return (
    <>
      <FilterBar fields={fields} address={address} change={change}>
        <SearchField
          label={t.audience.search}
          value={address.q ?? ''}
          onChange={search}
          className={classes.search}
        />
      </FilterBar>
      <div className={classes.split}>
        <div className={classes.list}>
          {list.error ? (
            <ErrorState error={list.error} retry={list.retry} />
          ) : list.total === 0 ? (
            <EmptyState
              title={isBare ? t.audience.noMembers : t.audience.empty}
              hint={isBare ? t.audience.noMembersHint : t.audience.emptyHint}
            />
          ) : (
            <DataTable
              label={t.audience.members}
              rows={list.rows}
              columns={columns}
              nameOf={personName}
              total={list.total}
              loading={list.isLoading}
              hasMore={list.hasMore}
              loadMore={list.loadMore}
              openKey={address.peek}
              onOpen={({ id }) => change({ peek: id }, { replace: address.peek !== undefined })}
              onClose={() => change({ peek: undefined })}
              onEdit={({ id }) => open('persons', id)}
              sort={address.sort}
              onSort={(sort) => change({ sort })}
            />
          )}
        </div>
        <Why segment={segment} personId={address.peek} onClose={() => change({ peek: undefined })} />
      </div>
    </>
  )
}
