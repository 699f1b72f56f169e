import { useMemo } from 'react'
import type { Column } from '../../../components/DataTable.tsx'
import { formatNumber } from '../../../components/format.ts'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { StatusMark } from '../../../components/StatusMark.tsx'
import { t } from '../../../texts/index.ts'
import { Thumbnail } from '../../media/Thumbnail.tsx'
import classes from '../Music.module.css'
import { isrcOf, type Kind, type Music, meanings } from './record.ts'

export const useColumns = (kind: Kind): Column<Music>[] =>
  useMemo(() => {
    const name: Column<Music> = {
      key: 'body',
      title: kind === 'tracks' ? t.music.title : t.music.name,
      width: 'minmax(200px, 2fr)',
      sortKey: 'body',
      small: 'first',
      render: ({ body, cover }) => (
        <span className={classes.named}>
          <span className={classes.cover}>{cover && <Thumbnail asset={cover} width={56} />}</span>
          <span className={`${classes.title} ellipsis`} dir="auto">
            {body}
          </span>
        </span>
      ),
    }
    const own: Column<Music>[] =
      kind === 'tracks'
        ? [
            {
              key: 'performers',
              title: t.music.performers,
              width: 'minmax(140px, 1.5fr)',
              keep: 5,
              sortKey: 'artist_text',
              small: 'second',
              render: ({ artist_text }) => <span dir="auto">{artist_text}</span>,
            },
            { key: 'isrc', title: t.music.isrc, width: '120px', keep: 1, render: isrcOf },
          ]
        : [
            {
              key: 'tracks',
              title: t.music.tracks,
              width: '90px',
              keep: 3,
              align: 'right',
              render: ({ tracks }) => formatNumber(tracks?.total ?? 0),
            },
          ]
    return [
      name,
      ...own,
      {
        key: 'status',
        title: t.music.status,
        width: '140px',
        keep: 4,
        small: 'second',
        render: ({ status }) => (
          <StatusMark meaning={meanings[status]}>{t.music.statuses[status]}</StatusMark>
        ),
      },
      {
        key: 'reference',
        title: t.music.reference,
        width: '120px',
        keep: 2,
        render: ({ reference_unique }) => reference_unique,
      },
      {
        key: 'changed',
        title: t.music.changed,
        width: '110px',
        keep: 3,
        sortKey: 'changed_on',
        render: ({ changed_on, created_on }) => <RelativeTime at={changed_on ?? created_on} />,
      },
    ]
  }, [kind])
