import { Autocomplete, Stack, Switch, TagsInput, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useRead } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { type Changes, changeAsset } from '../changes.ts'
import type { Asset } from '../files.ts'
import { bodiesOf } from '../tags.ts'
import { SavedText } from './SavedText.tsx'

type Props = { asset: Asset; mayChange: boolean }

export const Fields = ({ asset, mayChange }: Props) => {
  const save = (changes: Changes) => changeAsset(asset, changes)
  const text = (name: 'name' | 'body' | 'author' | 'copyright', lines = false) => (
    <SavedText
      label={t.media[name]}
      value={asset[name] ?? ''}
      lines={lines}
      disabled={!mayChange}
      onSave={(value) => save({ [name]: value })}
    />
  )
  return (
    <Stack component="section" gap="md">
      <Title order={2} size="h3">
        {t.media.details}
      </Title>
      {text('name')}
      {text('body', true)}
      {text('copyright')}
      {text('author')}
      <Folder asset={asset} mayChange={mayChange} />
      <Tags asset={asset} mayChange={mayChange} />
      <Switch
        label={t.media.isPrivate}
        description={t.media.privateHint}
        size="xs"
        disabled={!mayChange}
        checked={asset.private}
        onChange={(event) => save({ private: event.currentTarget.checked })}
      />
    </Stack>
  )
}

const Folder = ({ asset, mayChange }: Props) => {
  const folders = useRead('/assets/folders').data?.items ?? []
  const [typed, setTyped] = useState(asset.folder ?? '')
  useEffect(() => setTyped(asset.folder ?? ''), [asset.folder])
  const save = (folder: string) => {
    if (folder.trim() !== (asset.folder ?? '')) changeAsset(asset, { folder: folder.trim() || null })
  }
  return (
    <Autocomplete
      label={t.media.folder}
      description={t.media.folderHint}
      placeholder={t.media.noFolder}
      size="sm"
      disabled={!mayChange}
      data={folders.map(({ folder }) => folder)}
      value={typed}
      onChange={setTyped}
      onOptionSubmit={save}
      onBlur={() => save(typed)}
    />
  )
}

const Tags = ({ asset, mayChange }: Props) => {
  const known = useRead('/tags', { query: { limit: 1000, total: false } }).data?.items ?? []
  const given = bodiesOf(asset)
  const key = given.join('\n')
  const [tags, setTags] = useState(given)
  useEffect(() => setTags(given), [key])
  const change = (next: string[]) => {
    setTags(next)
    changeAsset(asset, { tags: next.map((body) => ({ body })) })
  }
  return (
    <TagsInput
      label={t.media.tags}
      size="sm"
      disabled={!mayChange}
      data={[...new Set(known.map(({ body }) => body))]}
      limit={50}
      value={tags}
      onChange={change}
    />
  )
}
