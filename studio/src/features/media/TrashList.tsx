import { Button } from '@mantine/core'
import type { Marquee } from 'marquee-sdk'
import { useMemo } from 'react'
import { useCan } from '../../api/access.ts'
import { usePages } from '../../api/queries.ts'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorState } from '../../components/ErrorState.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { restoreAssets } from './changes.ts'
import { nameOf } from './files.ts'
import classes from './Media.module.css'
import { Thumbnail } from './Thumbnail.tsx'

type Deleted = Marquee.DeletedAsset

const restore = async (asset: Deleted): Promise<void> => {
  try {
    await restoreAssets([asset.id])
    toast(t.media.restored(nameOf(asset)))
  } catch (error) {
    toastError(t.media.restoring, error)
  }
}

/** What was deleted in the last 30 days. */
export const TrashList = () => {
  const list = usePages('/assets/trash', { fields: 'storage_file' })
  const can = useCan()
  const mayRestore = can('assets_publish')
  const columns = useMemo(() => trashColumns(mayRestore), [mayRestore])
  if (list.error) return <ErrorState error={list.error} retry={list.retry} />
  if (list.total === 0) return <EmptyState title={t.media.trashEmpty} hint={t.media.trashHint} />
  return (
    <DataTable
      label={t.media.trash}
      rows={list.rows}
      columns={columns}
      nameOf={nameOf}
      total={list.total}
      loading={list.isLoading}
      hasMore={list.hasMore}
      loadMore={list.loadMore}
    />
  )
}

const trashColumns = (mayRestore: boolean): Column<Deleted>[] => [
  {
    key: 'name',
    title: t.media.name,
    width: 'minmax(200px, 3fr)',
    small: 'first',
    render: (asset) => (
      <span className={classes.rowName}>
        <Thumbnail asset={asset} width={80} />
        <span className="ellipsis">{nameOf(asset)}</span>
      </span>
    ),
  },
  {
    key: 'label',
    keep: 1,
    title: t.media.label,
    width: '100px',
    render: ({ label }) => t.media.labels[label],
  },
  {
    key: 'deleted_on',
    title: t.media.deletedOn,
    width: '120px',
    small: 'second',
    render: ({ deleted_on }) => <RelativeTime at={deleted_on} />,
  },
  {
    key: 'restore',
    title: '',
    width: '120px',
    align: 'right',
    small: 'second',
    render: (asset) =>
      mayRestore && (
        <Button size="compact-sm" variant="default" onClick={() => restore(asset)}>
          {t.media.restore}
        </Button>
      ),
  },
]
