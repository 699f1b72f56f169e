import { Button, NativeSelect, Skeleton } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useAddress } from '../../../address.ts'
import { usePages } from '../../../api/queries.ts'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { formatDay, formatNumber } from '../../../components/format.ts'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { linkOf } from '../../../frame/links.ts'
import { t } from '../../../texts/index.ts'
import classes from '../Audience.module.css'
import { namedPublications } from '../choices.ts'
import own from './Person.module.css'

/** Titles of what the rows are about; those of before are kept while more come. */
const useTitles = (ids: string[]): Map<string, string> => {
  const wanted = [...new Set(ids)].sort()
  const { data = [] } = useQuery({
    queryKey: ['publications', 'titles', wanted],
    queryFn: async () => {
      const parts = Array.from({ length: Math.ceil(wanted.length / 100) }, (_, part) =>
        namedPublications(wanted.slice(part * 100, part * 100 + 100)),
      )
      return (await Promise.all(parts)).flat()
    },
    enabled: wanted.length > 0,
    placeholderData: (before) => before,
  })
  return new Map(data.map(({ value, label }) => [value, label]))
}

/** What a person did, the newest first, by day. */
export const Timeline = ({ id }: { id: string }) => {
  const [address, change] = useAddress()
  const label = address.did
  const path = `/persons/${encodeURIComponent(id)}/interactions` as '/persons/{id}/interactions'
  const list = usePages(path, label ? { 'label[eq]': label } : {})
  // Interactions come by the thousand and have no events of their own.
  useInterval(() => document.visibilityState === 'visible' && list.retry(), 15_000, { autoInvoke: true })
  const titles = useTitles(list.rows.map(({ publication }) => publication.id))
  if (list.error) return <ErrorState error={list.error} retry={list.retry} />
  if (list.isLoading) return <Skeleton height={200} />
  const days = Map.groupBy(list.rows, ({ created_on }) => formatDay(created_on))
  return (
    <>
      <NativeSelect
        size="xs"
        w={220}
        aria-label={t.audience.timelineKind}
        value={label ?? ''}
        onChange={(event) => change({ did: event.currentTarget.value || undefined })}
        data={[
          { value: '', label: t.audience.timelineAll },
          ...Object.entries(t.audience.labels).map(([value, text]) => ({ value, label: text })),
        ]}
      />
      {list.rows.length === 0 && (
        <EmptyState title={t.audience.noTimeline} hint={t.audience.noTimelineHint} />
      )}
      {[...days].map(([day, rows]) => (
        <section key={day}>
          <h3 className={own.day}>{day}</h3>
          <ul className={own.entries}>
            {rows.map((row) => (
              <li key={row.id} className={own.entry}>
                <span>
                  {t.audience.labels[row.label] ?? row.label}{' '}
                  <Link
                    {...(linkOf('publications', row.publication.id) as { to: string })}
                    className={classes.name}
                  >
                    <bdi>{titles.get(row.publication.id) ?? t.audience.gone}</bdi>
                  </Link>
                  {row.value !== null && `, ${t.audience.value(formatNumber(row.value))}`}
                  {row.recommendation_id && `, ${t.audience.recommended}`}
                </span>
                <RelativeTime at={row.created_on} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {list.hasMore && (
        <Button mt="md" size="xs" variant="default" onClick={list.loadMore}>
          {t.table.more}
        </Button>
      )}
    </>
  )
}
