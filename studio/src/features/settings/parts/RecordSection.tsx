import { Button, Skeleton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Path } from 'marquee-sdk'
import { type ReactNode, useCallback } from 'react'
import { useAddress } from '../../../address.ts'
import { api } from '../../../api/client.ts'
import { keyOf, usePages } from '../../../api/queries.ts'
import { type Column, DataTable } from '../../../components/DataTable.tsx'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { Panel } from '../../../components/Panel.tsx'
import { SearchField } from '../../../components/SearchField.tsx'
import { t } from '../../../texts/index.ts'
import classes from '../Settings.module.css'
import type { SectionName } from '../sections.ts'
import { useGoing } from './remove-later.tsx'
import { Section } from './Section.tsx'

type Row = { id: string }
type Props<R extends Row> = {
  name: SectionName
  path: Path<'GET'> & string
  /** Besides what is searched and sorted by. */
  query?: Record<string, string>
  columns: Column<R>[]
  nameOf: (row: R) => string
  searchBy?: { name: string; label: string }
  empty: { title: string; hint: string }
  /** The text of the button that makes one, where the user may. */
  add?: string | undefined
  actions?: ReactNode
  tools?: ReactNode
  above?: ReactNode
  width?: number
  /** What the panel shows: of a row, or of one that is being made. */
  children: (row: R | undefined, close: () => void) => ReactNode
}

/** A list of records with the one that is open beside it; what is open stands in the address. */
export const RecordSection = <R extends Row>(props: Props<R>) => {
  const { name, path, query, columns, nameOf, searchBy = { name: 'q', label: t.settings.search } } = props
  const [address, change] = useAddress()
  const list = usePages(path, {
    ...query,
    ...(address.q && { [searchBy.name]: address.q }),
    ...(address.sort && { sort: address.sort }),
  })
  const going = useGoing()
  const rows = (list.rows as unknown as R[]).filter(({ id }) => !going.has(id))
  const { open } = address
  const isNew = open === 'new' && props.add !== undefined
  const inList = rows.find(({ id }) => id === open)
  const alone = useQuery({
    queryKey: keyOf(path, { alone: open, ...query }),
    queryFn: async () => {
      const fields = query?.fields && { fields: query.fields }
      const response = await api.fetch('GET', `${path}/{id}`, { path: { id: open! }, query: { ...fields } })
      return (await response.json()) as R
    },
    enabled: open !== undefined && open !== 'new' && !inList && !list.isLoading && !going.has(open),
  })
  const row = inList ?? (open === undefined ? undefined : alone.data)
  const close = useCallback(() => change({ open: undefined }), [change])
  const search = useCallback((q: string) => change({ q: q || undefined }, { replace: true }), [change])
  // Totals of what comes without an event are remembered for a moment, so it is the rows that count.
  const isEmpty = rows.length === 0 && !list.isLoading && !list.isPlaceholder
  const addButton = props.add && (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => change({ open: 'new' })}>
      {props.add}
    </Button>
  )
  return (
    <Section
      name={name}
      actions={
        <>
          {props.actions}
          {addButton}
        </>
      }
    >
      {props.above}
      <div className={classes.tools}>
        <SearchField
          label={searchBy.label}
          value={address.q ?? ''}
          onChange={search}
          className={classes.search}
        />
        {props.tools}
      </div>
      <div className={classes.split}>
        <div className={classes.list}>
          {list.error ? (
            <ErrorState error={list.error} retry={list.retry} />
          ) : isEmpty ? (
            <EmptyState
              title={address.q ? t.settings.nothing : props.empty.title}
              hint={address.q ? undefined : props.empty.hint}
            >
              {!address.q && addButton}
            </EmptyState>
          ) : (
            <DataTable
              label={t.settings.sections[name]}
              rows={rows}
              columns={columns}
              nameOf={nameOf}
              total={list.total}
              loading={list.isLoading}
              hasMore={list.hasMore}
              loadMore={list.loadMore}
              openKey={open}
              onOpen={({ id }) => change({ open: id }, { replace: open !== undefined })}
              onEdit={({ id }) => change({ open: id }, { replace: open !== undefined })}
              onClose={close}
              sort={address.sort}
              onSort={(sort) => change({ sort })}
            />
          )}
        </div>
        <Panel
          title={isNew ? props.add! : row ? nameOf(row) : t.common.loading}
          opened={isNew || (open !== undefined && open !== 'new' && !going.has(open))}
          onClose={close}
          width={props.width ?? 400}
        >
          {alone.error && !row && <ErrorState title={t.settings.loadFailed} error={alone.error} />}
          {!isNew && !row && !alone.error && <Skeleton height={160} />}
          {(isNew || row) && <div key={open}>{props.children(isNew ? undefined : row, close)}</div>}
        </Panel>
      </div>
    </Section>
  )
}
