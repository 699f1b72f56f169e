import type { Marquee } from 'marquee-sdk'
import { useMemo } from 'react'
import { useAddress } from '../../address.ts'
import { usePages, useRead } from '../../api/queries.ts'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorState } from '../../components/ErrorState.tsx'
import { FilterBar } from '../../components/filters/FilterBar.tsx'
import { type FilterField, filterQuery, filtersIn } from '../../components/filters/filter.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { t } from '../../texts/index.ts'
import { Section } from './parts/Section.tsx'
import { RecordName } from './RecordName.tsx'
import classes from './Settings.module.css'

type Entry = Marquee.AuditEntry
type Names = ReadonlyMap<string, string>

const all = { query: { limit: 1000, total: false } }
const namesIn = (items: { id: string; name: string }[] | undefined): Names =>
  new Map((items ?? []).map(({ id, name }) => [id, name]))

const labels = [
  'Publication',
  'PublicationModel',
  'Asset',
  'Channel',
  'Container',
  'Status',
  'Tag',
  'Person',
  'Segment',
  'Recommendation',
  'Source',
  'Comment',
  'Message',
  'Configuration',
  'Webhook',
  'Token',
  'Application',
  'User',
  'Invitation',
  'Session',
  'Environment',
  'Artist',
  'Track',
  'Timeline',
]

const useFields = (users: Names, tokens: Names): FilterField[] =>
  useMemo(() => {
    const texts = t.settings.audit
    const choices = (names: Names) => [...names].map(([value, label]) => ({ value, label }))
    return [
      { name: 'event', title: texts.event, type: 'text', operators: ['sw', 'eq'] },
      {
        name: 'label',
        title: texts.kind,
        type: 'choice',
        operators: ['in'],
        choices: labels.map((value) => ({ value, label: value })),
      },
      { name: 'user', title: texts.user, type: 'choice', operators: ['in'], choices: choices(users) },
      { name: 'token', title: texts.token, type: 'choice', operators: ['in'], choices: choices(tokens) },
      { name: 'record', title: texts.record, type: 'text', operators: ['eq'] },
      { name: 'created_on', title: texts.when, type: 'date', operators: ['gt', 'lt'] },
    ]
  }, [users, tokens])

const useColumns = (users: Names, tokens: Names): Column<Entry>[] =>
  useMemo(() => {
    const texts = t.settings.audit
    return [
      {
        key: 'event',
        title: texts.event,
        width: 'minmax(160px, 2fr)',
        small: 'first',
        render: ({ event }) => <span className={`${classes.name} ellipsis`}>{event}</span>,
      },
      {
        key: 'record',
        title: texts.record,
        width: 'minmax(140px, 2fr)',
        keep: 1,
        render: ({ record }) => <RecordName record={record} />,
      },
      {
        key: 'by',
        title: texts.by,
        width: 'minmax(140px, 2fr)',
        small: 'second',
        render: ({ performed_by: { user, token } }) => {
          const person = user && (users.get(user.id) ?? user.id)
          const key = token && tokens.get(token.id)
          const said = [person, key && texts.withToken(key)].filter(Boolean).join(', ')
          return <span className="ellipsis">{said || (token ? token.id : texts.service)}</span>
        },
      },
      {
        key: 'created_on',
        title: texts.when,
        width: '130px',
        sortKey: 'created_on',
        small: 'second',
        render: ({ created_on }) => <RelativeTime at={created_on} />,
      },
    ]
  }, [users, tokens])

/** Who did what and when, by users and by tokens. */
const AuditPage = () => {
  const [address, change] = useAddress()
  const userItems = useRead('/users', all).data?.items
  const tokenItems = useRead('/tokens', all).data?.items
  const users = useMemo(() => namesIn(userItems), [userItems])
  const tokens = useMemo(() => namesIn(tokenItems), [tokenItems])
  const fields = useFields(users, tokens)
  const filter = filterQuery(filtersIn(address, fields))
  const list = usePages('/audit_log', { ...filter, ...(address.sort && { sort: address.sort }) })
  const columns = useColumns(users, tokens)
  const texts = t.settings.audit
  const isBare = Object.keys(filter).length === 0
  return (
    <Section name="audit">
      <FilterBar fields={fields} address={address} change={change} />
      <div className={classes.split}>
        <div className={classes.list}>
          {list.error ? (
            <ErrorState error={list.error} retry={list.retry} />
          ) : list.rows.length === 0 && !list.isLoading && !list.isPlaceholder ? (
            <EmptyState
              title={isBare ? texts.first : t.settings.nothing}
              hint={isBare ? texts.firstHint : undefined}
            />
          ) : (
            <DataTable
              label={t.settings.sections.audit}
              rows={list.rows}
              columns={columns}
              nameOf={({ event }) => event}
              total={list.total}
              loading={list.isLoading}
              hasMore={list.hasMore}
              loadMore={list.loadMore}
              compact
              sort={address.sort}
              onSort={(sort) => change({ sort })}
            />
          )}
        </div>
      </div>
    </Section>
  )
}

export default AuditPage
