import { Button, FileButton, Group, Modal, Text, UnstyledButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { useCan } from '../../api/access.ts'
import { usePages } from '../../api/queries.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorState } from '../../components/ErrorState.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { t } from '../../texts/index.ts'
import { AssetGrid } from './AssetGrid.tsx'
import { type Asset, type AssetLabel, acceptOf, rowFields } from './files.ts'
import classes from './Media.module.css'
import { addUploads } from './uploads/store.ts'
import { UploadTray } from './uploads/UploadTray.tsx'
import { useDrop } from './uploads/use-drop.ts'

type Props = {
  opened: boolean
  onClose: () => void
  /** Told once, with everything that was chosen; `cdn_files`, `storage_file` and `details` are in it. */
  onPick: (assets: Asset[]) => void
  /** Only these kinds; all unless told. */
  labels?: readonly AssetLabel[] | undefined
  /** Several may be chosen. */
  many?: boolean
  title?: string
}

/** Chooses files of the library for something else, or uploads new ones for it. */
export const AssetPicker = (props: Props) => (
  <Modal
    opened={props.opened}
    onClose={props.onClose}
    size="xl"
    title={props.title ?? t.media.pickTitle}
    closeButtonProps={{ 'aria-label': t.actions.close }}
  >
    {props.opened && <Inside {...props} />}
  </Modal>
)

const Inside = ({ onClose, onPick, labels, many = false }: Props) => {
  const can = useCan()
  const [q, setQ] = useState('')
  const [chosen, setChosen] = useState<ReadonlyMap<string, Asset>>(new Map())
  const list = usePages('/assets', {
    ...(labels && { 'label[in]': labels.join(',') }),
    ...(q && { q }),
    fields: rowFields,
  })
  const pick = (assets: Asset[]) => {
    onPick(assets)
    onClose()
  }
  const toggle = (asset: Asset) => {
    const next = new Map(many ? chosen : [])
    if (chosen.has(asset.id)) next.delete(asset.id)
    else next.set(asset.id, asset)
    setChosen(next)
  }
  const upload = useCallback(
    (files: File[]) =>
      addUploads(files, {
        onDone: (asset) =>
          (!labels || labels.includes(asset.label)) &&
          setChosen((before) => new Map([...(many ? before : []), [asset.id, asset]])),
        as: labels?.includes('Cover') && !labels.includes('Photo') ? 'Cover' : undefined,
      }),
    [labels, many],
  )
  const mayUpload = can('assets_publish')
  const over = useDrop(upload, mayUpload)
  return (
    <div className={classes.picker}>
      <Group gap="sm" pb="md" wrap="nowrap">
        <SearchField label={t.media.search} value={q} onChange={setQ} className={classes.search} />
        {mayUpload && (
          <FileButton
            multiple={many as true}
            accept={acceptOf(labels)}
            onChange={(files) => upload([files].flat())}
          >
            {(given) => (
              <Button
                {...given}
                size="xs"
                variant="default"
                leftSection={<IconUpload size={14} aria-hidden />}
              >
                {t.media.upload}
              </Button>
            )}
          </FileButton>
        )}
      </Group>
      {list.error ? (
        <ErrorState error={list.error} retry={list.retry} />
      ) : list.total === 0 && !list.isPlaceholder ? (
        <EmptyState title={q ? t.media.empty : t.media.first} hint={q ? undefined : t.media.firstHint} />
      ) : (
        <AssetGrid
          label={t.media.listLabel}
          assets={list.rows}
          chosen={new Set(chosen.keys())}
          hasMore={list.hasMore}
          loadMore={list.loadMore}
          wrap={(asset, _index, inside) => (
            <UnstyledButton
              className={classes.open}
              aria-pressed={chosen.has(asset.id)}
              onClick={() => toggle(asset)}
              onDoubleClick={() => pick([asset])}
            >
              {inside}
            </UnstyledButton>
          )}
        />
      )}
      {over && <div className={classes.drop}>{t.media.dropHere}</div>}
      <Group justify="space-between" pt="md">
        <Text size="sm" c="dimmed">
          {chosen.size > 0 ? t.table.chosen(String(chosen.size)) : t.media.pickHint}
        </Text>
        <Group gap="sm">
          <Button variant="default" onClick={onClose}>
            {t.actions.cancel}
          </Button>
          <Button disabled={chosen.size === 0} onClick={() => pick([...chosen.values()])}>
            {t.media.pick(chosen.size)}
          </Button>
        </Group>
      </Group>
      <UploadTray plain />
    </div>
  )
}
