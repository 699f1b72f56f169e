import { Autocomplete, Button, CloseButton, Modal, TagsInput, Text } from '@mantine/core'
import { useState } from 'react'
import { useCan } from '../../api/access.ts'
import { useRead } from '../../api/queries.ts'
import { formatNumber } from '../../components/format.ts'
import { t } from '../../texts/index.ts'
import { changeMany } from './changes.ts'
import type { Asset } from './files.ts'
import classes from './Media.module.css'
import { bodiesOf, readTags } from './tags.ts'
import { useTrash } from './use-trash.tsx'

/** What can be done with the files that are chosen. */
export const BulkBar = ({ assets, onDone }: { assets: Asset[]; onDone: () => void }) => {
  const can = useCan()
  const [asks, setAsks] = useState<'folder' | 'tags'>()
  const [trash, dialog] = useTrash(onDone)
  const count = formatNumber(assets.length)
  return (
    <section className={classes.bulk} aria-label={t.media.bulkLabel}>
      <Text size="sm" fw={600} className="figures">
        {t.table.chosen(count)}
      </Text>
      {can('assets_publish') && (
        <>
          <Button size="compact-sm" variant="default" onClick={() => setAsks('folder')}>
            {t.media.move}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setAsks('tags')}>
            {t.media.tag}
          </Button>
        </>
      )}
      {can('assets_delete') && (
        <Button size="compact-sm" variant="default" onClick={() => trash(assets)}>
          {t.media.toTrash}
        </Button>
      )}
      <CloseButton size="sm" onClick={onDone} aria-label={t.actions.clear} />
      {asks && (
        <Ask
          kind={asks}
          assets={assets}
          onClose={(isDone) => {
            setAsks(undefined)
            if (isDone) onDone()
          }}
        />
      )}
      {dialog}
    </section>
  )
}

type AskProps = { kind: 'folder' | 'tags'; assets: Asset[]; onClose: (isDone: boolean) => void }

const Ask = ({ kind, assets, onClose }: AskProps) => {
  const folders = useRead('/assets/folders').data?.items ?? []
  const known = useRead('/tags', { query: { limit: 1000, total: false } }).data?.items ?? []
  const [folder, setFolder] = useState('')
  const [tags, setTags] = useState<string[]>([])
  const count = formatNumber(assets.length)
  const run = async () => {
    onClose(true)
    if (kind === 'folder')
      return changeMany(assets, () => ({ folder: folder.trim() || null }), t.media.moved(count))
    const withTags = await Promise.all(assets.map(readTags))
    const merged = (asset: Asset) => [...new Set([...bodiesOf(asset), ...tags])].map((body) => ({ body }))
    return changeMany(withTags, (asset) => ({ tags: merged(asset) }), t.media.tagged(count))
  }
  const title = kind === 'folder' ? t.media.move : t.media.tag
  return (
    <Modal
      opened
      onClose={() => onClose(false)}
      title={title}
      closeButtonProps={{ 'aria-label': t.actions.close }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          run()
        }}
      >
        {kind === 'folder' ? (
          <Autocomplete
            label={t.media.folder}
            description={t.media.folderHint}
            data={folders.map((one) => one.folder)}
            value={folder}
            onChange={setFolder}
            data-autofocus
          />
        ) : (
          <TagsInput
            label={t.media.tags}
            data={[...new Set(known.map(({ body }) => body))]}
            value={tags}
            onChange={setTags}
            data-autofocus
          />
        )}
        <Button type="submit" mt="lg" fullWidth disabled={kind === 'tags' && tags.length === 0}>
          {title}
        </Button>
      </form>
    </Modal>
  )
}
