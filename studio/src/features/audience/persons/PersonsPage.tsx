import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useAddress } from '../../../address.ts'
import { useCan } from '../../../api/access.ts'
import { usePages } from '../../../api/queries.ts'
import { DataTable } from '../../../components/DataTable.tsx'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { conditionQuery } from '../../../components/filters/conditions.ts'
import { FilterBar } from '../../../components/filters/FilterBar.tsx'
import { filtersIn } from '../../../components/filters/filter.ts'
import { formatNumber } from '../../../components/format.ts'
import { PageHead } from '../../../components/PageHead.tsx'
import { SearchField } from '../../../components/SearchField.tsx'
import { useOpen } from '../../../frame/links.ts'
import { t } from '../../../texts/index.ts'
import classes from '../Audience.module.css'
import { AudienceTabs } from '../AudienceTabs.tsx'
import { listFields } from '../fields.ts'
import { personName, rowFields } from '../person.ts'
import { beginSegment } from '../segments/draft.ts'
import { personColumns } from './columns.tsx'
import { NewPerson } from './NewPerson.tsx'

const PersonsPage = () => {
  const [address, change] = useAddress()
  const can = useCan()
  const open = useOpen()
  const fields = useMemo(listFields, [])
  const columns = useMemo(personColumns, [])
  const found = filtersIn(address, fields)
  // Segments are not made of segments.
  const conditions = found.filter(({ field }) => field.name !== 'segments')
  const filter = {
    ...conditionQuery(found),
    ...(address.q && { q: address.q }),
  }
  const list = usePages('/persons', {
    ...filter,
    ...(address.sort && { sort: address.sort }),
    fields: rowFields,
  })
  const search = useCallback((q: string) => change({ q: q || undefined }, { replace: true }), [change])
  const isBare = Object.keys(filter).length === 0
  return (
    <div className={classes.page}>
      <PageHead
        title={t.areas.audience}
        hint={list.total === undefined ? undefined : formatNumber(list.total)}
        below={<AudienceTabs current="persons" />}
      >
        {conditions.length > 0 && can('segments_publish') && (
          <Button
            size="xs"
            variant="default"
            component={Link}
            {...({ to: '/audience/segments/$id', params: { id: 'new' } } as object)}
            onClick={() => beginSegment(conditions)}
          >
            {t.audience.makeSegment}
          </Button>
        )}
        {can('persons_publish') && <NewPerson />}
      </PageHead>
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
            <Nobody isBare={isBare} />
          ) : (
            <DataTable
              label={t.audience.persons}
              rows={list.rows}
              columns={columns}
              nameOf={personName}
              total={list.total}
              loading={list.isLoading}
              hasMore={list.hasMore}
              loadMore={list.loadMore}
              onOpen={({ id }) => open('persons', id)}
              onEdit={({ id }) => open('persons', id)}
              sort={address.sort}
              onSort={(sort) => change({ sort })}
            />
          )}
        </div>
      </div>
    </div>
  )
}

const Nobody = ({ isBare }: { isBare: boolean }) => {
  const can = useCan()
  if (!isBare)
    return (
      <EmptyState title={t.audience.empty} hint={t.audience.emptyHint}>
        <Button component={Link} {...({ to: '/audience', search: {} } as object)} variant="default">
          {t.audience.showAll}
        </Button>
      </EmptyState>
    )
  return (
    <EmptyState title={t.audience.first} hint={t.audience.firstHint}>
      {can('persons_publish') && (
        <Button component={Link} {...({ to: '/audience/imports' } as object)} variant="default">
          {t.audience.importFile}
        </Button>
      )}
    </EmptyState>
  )
}

export default PersonsPage
