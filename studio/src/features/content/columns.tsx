import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useEnvironment } from '../../api/access.ts'
import type { Column } from '../../components/DataTable.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import { linkOf } from '../../frame/links.ts'
import { t } from '../../texts/index.ts'
import classes from './Content.module.css'
import { meaningOf, type Publication, statusOf, titleOf } from './row.ts'
import { Translations } from './Translations.tsx'

const short = (names: (string | undefined)[]): string =>
  names.length > 2 ? `${names.slice(0, 2).join(', ')} +${names.length - 2}` : names.join(', ')

const firstMoment = (moments: Record<string, string | null>, locale: string): string | null =>
  moments[locale] ?? Object.values(moments).find(Boolean) ?? null

/** `wanted` is the locale that the list is about. */
export const useContentColumns = (wanted: string | undefined): Column<Publication>[] => {
  const environment = useEnvironment()
  return useMemo(() => {
    const locales = environment?.locales ?? []
    const locale = wanted ?? environment?.default_locale ?? ''
    return [
      {
        key: 'title',
        title: t.content.title,
        width: 'minmax(220px, 3fr)',
        small: 'first',
        render: (row) => (
          <Link
            {...(linkOf('publications', row.id) as { to: string })}
            className={`${classes.title} ellipsis`}
          >
            {titleOf(row, locale)}
          </Link>
        ),
      },
      {
        key: 'translations',
        keep: 5,
        title: t.content.translations,
        width: `${Math.max(150, locales.length * 44 + 40)}px`,
        render: (row) => <Translations row={row} locales={locales} />,
      },
      {
        key: 'status',
        title: t.content.status,
        width: '130px',
        small: 'second',
        render: (row) => {
          const status = statusOf(row, locale)
          return <StatusMark meaning={meaningOf(status)}>{status ?? ''}</StatusMark>
        },
      },
      {
        key: 'model',
        keep: 3,
        title: t.content.model,
        width: 'minmax(80px, 1fr)',
        small: 'second',
        render: (row) => row.model?.body ?? '',
      },
      {
        key: 'channels',
        keep: 2,
        title: t.content.channels,
        width: 'minmax(90px, 1fr)',
        render: (row) => short((row.channels ?? []).map(({ name }) => name)),
      },
      {
        key: 'publish_on',
        keep: 4,
        title: t.content.publishOn,
        width: '110px',
        sortKey: 'publish_on',
        small: 'second',
        render: (row) => <RelativeTime at={firstMoment(row.publish_on, locale)} none="" />,
      },
      {
        key: 'changed_on',
        keep: 1,
        title: t.content.changedOn,
        width: '110px',
        sortKey: 'changed_on',
        render: (row) => <RelativeTime at={row.changed_on ?? row.created_on} />,
      },
    ]
  }, [environment, wanted])
}
