import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { usePages } from '../../api/queries.ts'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { formatBytes, formatDuration } from '../../components/format.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import { t } from '../../texts/index.ts'
import { AssetGrid } from './AssetGrid.tsx'
import { type Asset, nameOf } from './files.ts'
import classes from './Media.module.css'
import { Thumbnail } from './Thumbnail.tsx'

type Props = {
  as: string
  list: ReturnType<typeof usePages<'/assets'>>
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
  sort: string | undefined
  onSort: (sort: string | undefined) => void
  place: string
}

export const MediaList = ({ as, list, chosen, onChoose, sort, onSort, place }: Props) => {
  const navigate = useNavigate()
  const columns = useMemo(assetColumns, [])
  const open = ({ id }: Asset) => navigate({ to: '/media/$id' as string, params: { id } as never })
  if (as !== 'list')
    return (
      <AssetGrid
        key={place}
        place={place}
        label={t.media.listLabel}
        assets={list.rows}
        chosen={chosen}
        onChoose={onChoose}
        hasMore={list.hasMore}
        loadMore={list.loadMore}
        wrap={({ id }, _index, inside) => (
          <Link to={'/media/$id' as string} params={{ id } as never} className={classes.open}>
            {inside}
          </Link>
        )}
      />
    )
  return (
    <DataTable
      label={t.media.listLabel}
      rows={list.rows}
      columns={columns}
      nameOf={nameOf}
      total={list.total}
      loading={list.isLoading}
      hasMore={list.hasMore}
      loadMore={list.loadMore}
      chosen={chosen}
      onChoose={onChoose}
      onOpen={open}
      onEdit={open}
      sort={sort}
      onSort={onSort}
    />
  )
}

const meanings = { uploading: 'started', processing: 'started', ready: 'done', failed: 'danger' } as const

const assetColumns = (): Column<Asset>[] => [
  {
    key: 'name',
    title: t.media.name,
    width: 'minmax(220px, 3fr)',
    small: 'first',
    sortKey: 'name',
    render: (asset) => (
      <span className={classes.rowName}>
        <Thumbnail asset={asset} width={80} />
        <Link
          to={'/media/$id' as string}
          params={{ id: asset.id } as never}
          className={`${classes.rowLink} ellipsis`}
        >
          {nameOf(asset)}
        </Link>
      </span>
    ),
  },
  {
    key: 'label',
    title: t.media.label,
    width: '90px',
    small: 'second',
    render: ({ label }) => t.media.labels[label],
  },
  {
    key: 'status',
    keep: 3,
    title: t.media.status,
    width: '120px',
    render: ({ status }) => <StatusMark meaning={meanings[status]}>{t.media.statuses[status]}</StatusMark>,
  },
  {
    key: 'folder',
    keep: 2,
    title: t.media.folder,
    width: 'minmax(100px, 1fr)',
    render: ({ folder }) => folder ?? '',
  },
  {
    key: 'size',
    keep: 4,
    title: t.media.size,
    width: '110px',
    align: 'right',
    small: 'second',
    render: ({ storage_file: file }) =>
      file?.duration ? formatDuration(file.duration) : file?.size ? formatBytes(file.size) : '',
  },
  {
    key: 'created_on',
    keep: 5,
    title: t.media.createdOn,
    width: '110px',
    sortKey: 'created_on',
    small: 'second',
    render: ({ created_on }) => <RelativeTime at={created_on} />,
  },
]
