import { NativeSelect, SegmentedControl } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useCallback, useMemo, useState } from 'react'
import { type Address, type Change, useAddress } from '../../address.ts'
import { useCan } from '../../api/access.ts'
import { usePages } from '../../api/queries.ts'
import { ErrorState } from '../../components/ErrorState.tsx'
import { FilterBar } from '../../components/filters/FilterBar.tsx'
import { filterQuery, filtersIn } from '../../components/filters/filter.ts'
import { formatNumber } from '../../components/format.ts'
import { PageHead } from '../../components/PageHead.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { t } from '../../texts/index.ts'
import { BulkBar } from './BulkBar.tsx'
import { mediaFields } from './fields.ts'
import { rowFields } from './files.ts'
import classes from './Media.module.css'
import { MediaList } from './MediaList.tsx'
import { labelsOf, MediaTabs } from './MediaTabs.tsx'
import { NothingHere } from './NothingHere.tsx'
import { TrashList } from './TrashList.tsx'
import { UploadButton } from './UploadButton.tsx'
import { addUploads } from './uploads/store.ts'
import { UploadTray } from './uploads/UploadTray.tsx'
import { useDrop } from './uploads/use-drop.ts'

const MediaPage = () => {
  const [address, change] = useAddress()
  const can = useCan()
  const mayUpload = can('assets_publish')
  const folder = address['folder[eq]'] ?? address['folder[sw]']
  const take = useCallback((files: File[]) => addUploads(files, { folder }), [folder])
  const over = useDrop(take, mayUpload)
  return (
    <div className={classes.page}>
      {address.kind === 'trash' ? <Trash /> : <Library address={address} change={change} folder={folder} />}
      {over && <div className={classes.drop}>{folder ? t.media.dropInto(folder) : t.media.dropHere}</div>}
      <UploadTray />
    </div>
  )
}

const Trash = () => (
  <>
    <PageHead title={t.areas.media} below={<MediaTabs kind="trash" />} />
    <div className={classes.body}>
      <TrashList />
    </div>
  </>
)

type Props = { address: Address; change: Change; folder: string | undefined }
const nothing: ReadonlySet<string> = new Set()

const Library = ({ address, change, folder }: Props) => {
  const can = useCan()
  const fields = useMemo(mediaFields, [])
  const { q, kind = '', sort } = address
  const filters = filterQuery(filtersIn(address, fields))
  const narrowing = { ...filters, ...(q && { q }) }
  const label = labelsOf[kind]
  const list = usePages('/assets', {
    ...(label && { 'label[in]': label }),
    ...narrowing,
    ...(sort && { sort }),
    fields: rowFields,
  })
  const [chosen, setChosen] = useState(nothing)
  const [kept, keep] = useLocalStorage({ key: 'marquee.media.as', defaultValue: 'grid' })
  const as = address.as ?? kept
  const search = useCallback(
    (words: string) => change({ q: words || undefined }, { replace: true }),
    [change],
  )
  return (
    <>
      <PageHead
        title={t.areas.media}
        hint={list.total === undefined ? undefined : formatNumber(list.total)}
        below={<MediaTabs kind={address.kind} />}
      >
        <SegmentedControl
          size="xs"
          aria-label={t.media.layout}
          value={as}
          onChange={(next) => {
            keep(next)
            change({ as: next }, { replace: true })
          }}
          data={[
            { value: 'grid', label: t.media.grid },
            { value: 'list', label: t.media.list },
          ]}
        />
        {can('assets_publish') && <UploadButton folder={folder} />}
      </PageHead>
      <FilterBar fields={fields} address={address} change={change}>
        <SearchField label={t.media.search} value={q ?? ''} onChange={search} className={classes.search} />
        {as === 'grid' && (
          <NativeSelect
            size="xs"
            aria-label={t.media.sort}
            value={sort ?? ''}
            onChange={(event) => change({ sort: event.currentTarget.value || undefined })}
            data={[
              { value: '', label: t.media.newest },
              { value: 'created_on', label: t.media.oldest },
              { value: 'name', label: t.media.byName },
            ]}
          />
        )}
      </FilterBar>
      <div className={classes.body}>
        {list.error ? (
          <ErrorState error={list.error} retry={list.retry} />
        ) : list.total === 0 && !list.isPlaceholder ? (
          <NothingHere isBare={Object.keys(narrowing).length === 0 && !label} folder={folder} />
        ) : (
          <MediaList
            as={as}
            list={list}
            chosen={chosen}
            onChoose={setChosen}
            sort={sort}
            onSort={(next) => change({ sort: next })}
            place={JSON.stringify([narrowing, kind, sort])}
          />
        )}
        {chosen.size > 0 && (
          <BulkBar assets={list.rows.filter(({ id }) => chosen.has(id))} onDone={() => setChosen(nothing)} />
        )}
      </div>
    </>
  )
}

export default MediaPage
