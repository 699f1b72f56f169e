import { Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../../api/queries.ts'
import { formatNumber } from '../../../components/format.ts'
import { linkOf } from '../../../frame/links.ts'
import { t } from '../../../texts/index.ts'
import classes from './Asset.module.css'

/** Which publications and persons show it. */
export const Usage = ({ id }: { id: string }) => {
  const { data } = useRead('/assets/{id}/usage', { path: { id } })
  const publications = data?.publications.items ?? []
  const persons = data?.persons.items ?? []
  const shown = publications.length + persons.length
  return (
    <Stack component="section" gap="sm">
      <Title order={2} size="h3">
        {t.media.usedIn}
      </Title>
      {data?.total === 0 && (
        <Text size="sm" c="dimmed">
          {t.media.unused}
        </Text>
      )}
      {shown > 0 && (
        <ul className={classes.usage}>
          {publications.map(({ id: publication = '', title, label }) => (
            <li key={publication}>
              <Link
                {...(linkOf('publications', publication) as { to: string })}
                className="ellipsis"
                dir="auto"
              >
                {title || t.common.unnamed}
              </Link>
              <span>{label}</span>
            </li>
          ))}
          {persons.map(({ id: person = '' }) => (
            <li key={person}>
              <Link {...(linkOf('persons', person) as { to: string })}>{t.media.person}</Link>
            </li>
          ))}
        </ul>
      )}
      {data && data.total > shown && (
        <Text size="xs" c="dimmed">
          {t.media.more(formatNumber(data.total - shown))}
        </Text>
      )}
    </Stack>
  )
}
