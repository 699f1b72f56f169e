import { ActionIcon, Button, Checkbox, Fieldset, Group, Stack, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
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

type Channel = Marquee.Channel
type Stream = NonNullable<Channel['streams']>[number]

const whole = { fields: 'type,share_construct_url,preview_construct_url,streams,record' }

const ChannelsPage = () => {
  const can = useCan()
  const texts = t.settings.channels
  const columns = useMemo(
    () => [
      nameColumn<Channel>('name'),
      {
        key: 'type',
        title: texts.type,
        width: '120px',
        keep: 3,
        small: 'second' as const,
        render: ({ type }: Channel) => type ?? '',
      },
      {
        key: 'slug',
        title: t.settings.slug,
        width: 'minmax(100px, 1fr)',
        keep: 2,
        render: ({ slug }: Channel) => <code className="ellipsis">{slug}</code>,
      },
      changedColumn<Channel>(),
    ],
    [texts],
  )
  return (
    <RecordSection<Channel>
      name="channels"
      path="/channels"
      query={whole}
      columns={columns}
      nameOf={({ name }) => name}
      empty={{ title: texts.first, hint: texts.firstHint }}
      add={can('channels_publish') ? texts.new : undefined}
      width={440}
    >
      {(row, close) => <ChannelForm row={row} close={close} />}
    </RecordSection>
  )
}

const ChannelForm = ({ row, close }: { row: Channel | undefined; close: () => void }) => {
  const can = useCan()
  const texts = t.settings.channels
  const before = {
    name: row?.name ?? '',
    slug: row?.slug ?? '',
    type: row?.type ?? '',
    share_construct_url: row?.share_construct_url ?? '',
    preview_construct_url: row?.preview_construct_url ?? '',
    streams: row?.streams ?? [],
    record: row?.record ?? false,
  }
  const sent = ({ slug, ...values }: typeof before) => ({
    ...values,
    ...(slug.trim() && { slug: slug.trim() }),
    type: values.type.trim() || null,
    share_construct_url: values.share_construct_url.trim() || null,
    preview_construct_url: values.preview_construct_url.trim() || null,
  })
  const form = useForm(before, async (values) => {
    await saveRecord('/channels', row, values.name, sent(values), sent(before))
    close()
  })
  const remove = () => {
    close()
    removeLater(row!.id, t.settings.goes(row!.name), 'channels', () => removeRecord('/channels', row!.id))
  }
  const mayWrite = can('channels_publish')
  return (
    <form onSubmit={form.submit}>
      <Fieldset variant="unstyled" disabled={!mayWrite}>
        <Stack gap="md">
          <TextInput
            label={t.settings.name}
            required
            withAsterisk={false}
            data-autofocus
            {...form.text('name')}
          />
          <TextInput
            label={t.settings.slug}
            description={row ? undefined : t.settings.slugHint}
            {...form.text('slug')}
          />
          <TextInput label={texts.type} description={texts.typeHint} {...form.text('type')} />
          <TextInput
            label={texts.share}
            description={texts.shareHint}
            {...form.text('share_construct_url')}
          />
          <TextInput
            label={texts.preview}
            description={texts.previewHint}
            {...form.text('preview_construct_url')}
          />
          <Streams
            value={form.values.streams}
            faultOf={form.faultOf}
            onChange={(streams) => form.set({ streams })}
          />
          <Checkbox label={texts.record} {...form.check('record')} />
          {mayWrite && (
            <FormEnd
              save={row ? t.actions.save : texts.create}
              busy={form.busy}
              onRemove={row && can('channels_delete') ? remove : undefined}
            />
          )}
        </Stack>
      </Fieldset>
    </form>
  )
}

const Streams = ({
  value,
  faultOf,
  onChange,
}: {
  value: Stream[]
  faultOf: (name: string) => string | undefined
  onChange: (streams: Stream[]) => void
}) => {
  const texts = t.settings.channels
  const put = (index: number, changes: Stream) => onChange(value.with(index, { ...value[index], ...changes }))
  return (
    <Stack gap="sm">
      {value.map((stream, index) => (
        <Fieldset key={index} legend={texts.stream(index + 1)} p="sm">
          <Stack gap={6}>
            {(['name', 'url', 'url_ssl'] as const).map((name) => (
              <TextInput
                key={name}
                size="xs"
                label={{ name: t.settings.name, url: texts.url, url_ssl: texts.urlSsl }[name]}
                value={stream[name] ?? ''}
                error={faultOf(`streams.${index}.${name}`)}
                onChange={(event) => put(index, { [name]: event.currentTarget.value || null })}
              />
            ))}
            <Group justify="flex-end">
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t.settings.pairs.remove(texts.stream(index + 1))}
                onClick={() => onChange(value.toSpliced(index, 1))}
              >
                <IconX size={14} aria-hidden />
              </ActionIcon>
            </Group>
          </Stack>
        </Fieldset>
      ))}
      <Group>
        <Button size="compact-sm" variant="default" onClick={() => onChange([...value, {}])}>
          {texts.addStream}
        </Button>
      </Group>
    </Stack>
  )
}

export default ChannelsPage
