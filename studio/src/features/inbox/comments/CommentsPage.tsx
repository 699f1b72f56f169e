import { Button, Skeleton } from '@mantine/core'
import { useCallback, useMemo } from 'react'
import { useAddress } from '../../../address.ts'
import { usePages } from '../../../api/queries.ts'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { FilterBar } from '../../../components/filters/FilterBar.tsx'
import { type FilterField, filterQuery, filtersIn } from '../../../components/filters/filter.ts'
import { formatNumber } from '../../../components/format.ts'
import { PageHead } from '../../../components/PageHead.tsx'
import { SearchField } from '../../../components/SearchField.tsx'
import { t } from '../../../texts/index.ts'
import classes from '../Inbox.module.css'
import { InboxTabs } from '../InboxTabs.tsx'
import { find } from '../messages/fields.ts'
import { CommentCard } from './CommentCard.tsx'
import { commentFields } from './comment.ts'
import { useTitles } from './use-titles.ts'

const fieldsOf = (): FilterField[] => [
  { name: 'channel_id', title: t.inbox.channel, type: 'choice', operators: ['in'], find: find('/channels') },
  { name: 'moderated', title: t.inbox.isModerated, type: 'boolean', operators: ['eq'] },
  { name: 'created_on', title: t.inbox.time, type: 'date', operators: ['gt', 'lt'] },
]

const statuses = ['pending', 'approved', 'hidden', 'all'] as const

/** Those that wait first: the oldest on top, as a queue is worked off. */
const CommentsPage = () => {
  const [address, change] = useAddress()
  const fields = useMemo(fieldsOf, [])
  const { q, status = 'pending', publication } = address
  const list = usePages('/v5/comments', {
    ...filterQuery(filtersIn(address, fields)),
    ...(status !== 'all' && { 'status[eq]': status }),
    ...(publication && { 'publication_id[eq]': publication }),
    ...(q && { q }),
    ...(status === 'pending' && !q && { sort: 'created_on' }),
    fields: commentFields,
  })
  const titleOf = useTitles(list.rows.map((comment) => comment.publication.id))
  const search = useCallback(
    (words: string) => change({ q: words || undefined }, { replace: true }),
    [change],
  )
  return (
    <div className={classes.page}>
      <PageHead
        title={t.inbox.comments}
        hint={list.total === undefined ? undefined : formatNumber(list.total)}
        below={<InboxTabs active="comments" />}
      />
      <FilterBar fields={fields} address={address} change={change}>
        <SearchField
          label={t.inbox.commentSearch}
          value={q ?? ''}
          onChange={search}
          className={classes.search}
        />
      </FilterBar>
      <fieldset className={classes.states} aria-label={t.inbox.status}>
        {statuses.map((one) => (
          <Button
            key={one}
            size="compact-sm"
            variant={one === status ? 'light' : 'subtle'}
            color={one === status ? undefined : 'gray'}
            aria-pressed={one === status}
            onClick={() => change({ status: one === 'pending' ? undefined : one })}
          >
            {one === 'all' ? t.inbox.allComments : t.inbox.statuses[one]}
          </Button>
        ))}
        <span className={classes.keys}>{t.inbox.keys}</span>
      </fieldset>
      <section className={classes.queue} aria-label={t.inbox.comments}>
        {list.error ? (
          <ErrorState error={list.error} retry={list.retry} />
        ) : list.isLoading ? (
          <Skeleton height={120} mt="lg" />
        ) : list.rows.length === 0 ? (
          <EmptyState
            title={status === 'pending' ? t.inbox.queueEmpty : t.inbox.commentsEmpty}
            hint={status === 'pending' ? t.inbox.queueEmptyHint : t.inbox.commentsEmptyHint}
          />
        ) : (
          list.rows.map((comment) => (
            <CommentCard key={comment.id} comment={comment} title={titleOf(comment.publication.id)} />
          ))
        )}
        {list.hasMore && (
          <Button mt="md" variant="default" onClick={list.loadMore}>
            {t.inbox.more}
          </Button>
        )}
      </section>
    </div>
  )
}

export default CommentsPage
