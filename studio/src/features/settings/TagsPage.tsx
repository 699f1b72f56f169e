import { Stack, TextInput } from '@mantine/core'
import type { Marquee } from 'marquee-sdk'
import { useMemo } from 'react'
import { useCan } from '../../api/access.ts'
import { t } from '../../texts/index.ts'
import { FormEnd } from './parts/FormEnd.tsx'
import { RecordSection } from './parts/RecordSection.tsx'
import { removeRecord, saveRecord } from './parts/records.ts'
import { removeLater } from './parts/remove-later.tsx'
import { useForm } from './parts/use-form.ts'
import { changedColumn, nameColumn } from './small-columns.tsx'

type Tag = Marquee.Tag

const TagsPage = () => {
  const can = useCan()
  const texts = t.settings.tags
  const columns = useMemo(
    () => [
      nameColumn<Tag>('body'),
      {
        key: 'slug',
        title: t.settings.slug,
        width: 'minmax(120px, 2fr)',
        keep: 2,
        small: 'second' as const,
        render: ({ slug }: Tag) => <code className="ellipsis">{slug}</code>,
      },
      changedColumn<Tag>(),
    ],
    [],
  )
  return (
    <RecordSection<Tag>
      name="tags"
      path="/tags"
      columns={columns}
      nameOf={({ body }) => body}
      empty={{ title: texts.first, hint: texts.firstHint }}
      add={can('tags_publish') ? texts.new : undefined}
    >
      {(row, close) => <TagForm row={row} close={close} />}
    </RecordSection>
  )
}

const TagForm = ({ row, close }: { row: Tag | undefined; close: () => void }) => {
  const can = useCan()
  const before = { body: row?.body ?? '', slug: row?.slug ?? '' }
  const form = useForm(before, async ({ body, slug }) => {
    await saveRecord('/tags', row, body, { body, ...(slug.trim() && { slug: slug.trim() }) }, before)
    close()
  })
  const remove = () => {
    close()
    removeLater(row!.id, t.settings.goes(row!.body), 'tags', () => removeRecord('/tags', row!.id))
  }
  const mayWrite = can('tags_publish')
  return (
    <form onSubmit={form.submit}>
      <Stack gap="md">
        <TextInput
          label={t.settings.name}
          required
          withAsterisk={false}
          data-autofocus
          readOnly={!mayWrite}
          {...form.text('body')}
        />
        <TextInput
          label={t.settings.slug}
          description={row ? undefined : t.settings.slugHint}
          readOnly={!mayWrite}
          {...form.text('slug')}
        />
        {mayWrite && (
          <FormEnd
            save={row ? t.actions.save : t.settings.tags.create}
            busy={form.busy}
            onRemove={row && remove}
          />
        )}
      </Stack>
    </form>
  )
}

export default TagsPage
