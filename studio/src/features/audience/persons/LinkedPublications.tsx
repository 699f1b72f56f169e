import { Button, Skeleton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { usePages } from '../../../api/queries.ts'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { linkOf } from '../../../frame/links.ts'
import { t } from '../../../texts/index.ts'
import classes from '../Audience.module.css'
import { titleOf } from '../choices.ts'
import own from './Person.module.css'

type Props = { id: string; kind: 'likes' | 'subscriptions' }

/** What a person likes or is subscribed to now, the latest first. */
export const LinkedPublications = ({ id, kind }: Props) => {
  const path = `/persons/${encodeURIComponent(id)}/${kind}` as '/persons/{id}/likes'
  const list = usePages(path, { fields: 'title,model{body}' })
  if (list.error) return <ErrorState error={list.error} retry={list.retry} />
  if (list.isLoading) return <Skeleton height={120} />
  if (list.rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {kind === 'likes' ? t.audience.noLikes : t.audience.noSubscriptions}
      </Text>
    )
  return (
    <>
      <ul className={own.entries}>
        {list.rows.map((row) => (
          <li key={row.id} className={own.entry}>
            <Link {...(linkOf('publications', row.id) as { to: string })} className={classes.name} dir="auto">
              {titleOf(row)}
            </Link>
            <span>{row.model?.body ?? ''}</span>
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <Button mt="md" size="xs" variant="default" onClick={list.loadMore}>
          {t.table.more}
        </Button>
      )}
    </>
  )
}
