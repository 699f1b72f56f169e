import { Skeleton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { usePages } from '../../../api/queries.ts'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { formatNumber } from '../../../components/format.ts'
import { t } from '../../../texts/index.ts'
import classes from '../Audience.module.css'
import own from './Person.module.css'

/** The segments that a person is in; each leads to why. */
export const PersonSegments = ({ id }: { id: string }) => {
  const list = usePages('/segments', { 'persons[eq]': id, sort: 'body' }, { limit: 100 })
  if (list.error) return <ErrorState error={list.error} retry={list.retry} />
  if (list.isLoading) return <Skeleton height={120} />
  if (list.rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t.audience.noSegments}
      </Text>
    )
  return (
    <ul className={own.entries}>
      {list.rows.map((row) => (
        <li key={row.id} className={own.entry}>
          <Link
            {...({
              to: '/audience/segments/$id',
              params: { id: row.id },
              search: { part: 'members', peek: id },
            } as unknown as { to: string })}
            className={classes.name}
            dir="auto"
          >
            {row.body}
          </Link>
          <span className="figures">{t.audience.persons_(formatNumber(row.total))}</span>
        </li>
      ))}
    </ul>
  )
}
