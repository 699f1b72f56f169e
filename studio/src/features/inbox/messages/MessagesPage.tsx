import { Button } from '@mantine/core'
import { IconDeviceTv } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useAddress } from '../../../address.ts'
import { usePages } from '../../../api/queries.ts'
import { DataTable } from '../../../components/DataTable.tsx'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { FilterBar } from '../../../components/filters/FilterBar.tsx'
import { filterQuery, filtersIn } from '../../../components/filters/filter.ts'
import { formatNumber } from '../../../components/format.ts'
import { PageHead } from '../../../components/PageHead.tsx'
import { SearchField } from '../../../components/SearchField.tsx'
import { useIsSmall } from '../../../components/small.ts'
import { t } from '../../../texts/index.ts'
import classes from '../Inbox.module.css'
import { InboxTabs } from '../InboxTabs.tsx'
import { messageColumns } from './columns.tsx'
import { messageFields } from './fields.ts'
import { MessagePanel } from './MessagePanel.tsx'
import { rowFields, senderOf } from './message.ts'

/** The list wants a span of time; unless one is chosen, all of it. */
const ever = { 'created_on[gt]': '2000-01-01' }

const MessagesPage = () => {
  const [address, change] = useAddress()
  const fields = useMemo(messageFields, [])
  const columns = useMemo(messageColumns, [])
  const phone = useIsSmall('phone')
  const { q, message } = address
  const filters = filterQuery(filtersIn(address, fields))
  const span = Object.keys(filters).some((name) => name.startsWith('created_on')) ? {} : ever
  const query = { ...span, ...filters, ...(q && { q }), fields: rowFields }
  const list = usePages('/messages', query)
  const search = useCallback(
    (words: string) => change({ q: words || undefined }, { replace: true }),
    [change],
  )
  const isBare = !q && Object.keys(filters).length === 0
  return (
    <div className={classes.page}>
      <PageHead
        title={t.areas.inbox}
        hint={list.total === undefined ? undefined : formatNumber(list.total)}
        below={<InboxTabs active="messages" />}
      >
        <Button
          component={Link}
          to={'/inbox/screen' as string}
          target="_blank"
          variant="default"
          leftSection={phone ? undefined : <IconDeviceTv size={16} aria-hidden />}
        >
          {t.inbox.openScreen}
        </Button>
      </PageHead>
      <FilterBar fields={fields} address={address} change={change}>
        <SearchField label={t.inbox.search} value={q ?? ''} onChange={search} className={classes.search} />
      </FilterBar>
      <div className={classes.split}>
        <div className={classes.list}>
          {list.error ? (
            <ErrorState error={list.error} retry={list.retry} />
          ) : list.total === 0 && !list.isPlaceholder ? (
            <EmptyState
              title={isBare ? t.inbox.empty : t.inbox.nothing}
              hint={isBare ? t.inbox.emptyHint : t.inbox.nothingHint}
            >
              {!isBare && (
                <Button component={Link} to={'/inbox' as string} variant="default">
                  {t.inbox.showAll}
                </Button>
              )}
            </EmptyState>
          ) : (
            <DataTable
              label={t.inbox.listLabel}
              rows={list.rows}
              columns={columns}
              nameOf={senderOf}
              total={list.total}
              loading={list.isLoading}
              hasMore={list.hasMore}
              loadMore={list.loadMore}
              openKey={message}
              onOpen={({ id }) => change({ message: id }, { replace: message !== undefined })}
              onClose={() => change({ message: undefined })}
            />
          )}
        </div>
        <MessagePanel id={message} onClose={() => change({ message: undefined })} />
      </div>
    </div>
  )
}

export default MessagesPage
