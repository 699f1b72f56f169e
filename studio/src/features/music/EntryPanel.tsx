import { Button, Group, NativeSelect, Skeleton, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useCan } from '../../api/access.ts'
import { api } from '../../api/client.ts'
import { refresh, useRead } from '../../api/queries.ts'
import { ErrorState } from '../../components/ErrorState.tsx'
import { faultsOf } from '../../components/explain.ts'
import { Panel } from '../../components/Panel.tsx'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { shifted } from './day.ts'
import { changeBody, createBody, type Entry, type Form, formOf } from './entry.ts'
import { type Picked, TrackPicker } from './TrackPicker.tsx'

export const entryFields = 'channel{id,name},track{id,body,artist_text}'

type Named = { id: string; name: string }
type Props = {
  /** An id, `new`, or nothing. */
  id: string | undefined
  date: string
  channel: string
  channels: Named[]
  /** Where the last entry of the day ends: what is added follows it. */
  after: string
  onClose: () => void
}

/** An entry of the timeline beside the list, to be changed or made. */
export const EntryPanel = (props: Props) => {
  const { id, onClose } = props
  const isNew = id === 'new'
  const read = useRead(
    '/v5/timelines/{id}',
    { path: { id: id ?? '' }, query: { fields: entryFields } },
    { enabled: id !== undefined && !isNew },
  )
  const entry = isNew ? undefined : (read.data as Entry | undefined)
  return (
    <Panel
      title={isNew ? t.music.addTitle : (entry?.body ?? t.music.editTitle)}
      opened={id !== undefined}
      onClose={onClose}
    >
      {!isNew && read.error && (
        <ErrorState title={t.music.entryFailed} error={read.error} retry={read.refetch} />
      )}
      {!isNew && !entry && !read.error && <Skeleton height={200} />}
      {(isNew || entry) && <EntryForm key={entry?.id ?? 'new'} {...props} entry={entry} />}
    </Panel>
  )
}

const EntryForm = ({
  entry,
  date,
  channel,
  channels,
  after,
  onClose,
}: Props & { entry: Entry | undefined }) => {
  const mayWrite = useCan()('content_items_publish')
  const empty: Form = { track: null, body: '', channel, from: after, until: '' }
  const before = entry ? formOf(entry) : empty
  const [form, setForm] = useState(before)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const set = (changes: Partial<Form>) => setForm((held) => ({ ...held, ...changes }))
  const day = entry ? entry.from.slice(0, 10) : date
  const pick = (picked: Picked | null) => {
    set({ track: picked?.id ?? null })
    if (!entry && picked?.seconds && !form.until) set({ until: later(form.from, picked.seconds) })
    // Words that stood for the track before would stay otherwise.
    if (entry && picked) set({ body: picked.name })
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    try {
      await (entry ? change(entry, form, before, day) : make(form, day))
      refresh('timelines')
      onClose()
    } catch (error) {
      setFaults(faultsOf(error))
      toastError(t.music.saving, error)
    }
  }
  const { track } = entry ?? {}
  const known = track
    ? { id: track.id, name: [track.artist_text, track.body].filter(Boolean).join(' – '), seconds: undefined }
    : undefined
  return (
    <form onSubmit={save}>
      <Stack gap="md">
        <Group grow align="flex-start">
          <TextInput
            type="time"
            step={1}
            required
            label={t.music.from}
            value={form.from}
            error={faults.from ?? faults.published_on}
            onChange={(event) => set({ from: event.currentTarget.value })}
          />
          <TextInput
            type="time"
            step={1}
            required
            label={t.music.until}
            value={form.until}
            error={faults.until ?? faults.unpublish_on}
            onChange={(event) => set({ until: event.currentTarget.value })}
          />
        </Group>
        <TrackPicker value={form.track} known={known} error={faults.track_id} onChange={pick} />
        <TextInput
          label={t.music.words}
          description={t.music.wordsHint}
          required={form.track === null}
          value={form.body}
          error={faults.body}
          onChange={(event) => set({ body: event.currentTarget.value })}
        />
        <NativeSelect
          label={t.music.channel}
          value={form.channel}
          error={faults.channel_id}
          onChange={(event) => set({ channel: event.currentTarget.value })}
          data={[
            { value: '', label: t.music.noChannel },
            ...channels.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        {mayWrite && (
          <Group gap="sm">
            <Button type="submit" size="xs">
              {entry ? t.actions.save : t.actions.add}
            </Button>
            {entry && (
              <Button size="xs" variant="default" onClick={() => remove(entry, onClose)}>
                {t.music.remove}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </form>
  )
}

/** A clock so many seconds later, over midnight too. */
const later = (clock: string, seconds: number): string => {
  const moment = Date.parse(`2000-01-01T${clock}Z`)
  return Number.isNaN(moment) ? '' : new Date(moment + seconds * 1000).toISOString().slice(11, 19)
}

const make = async (form: Form, date: string): Promise<void> => {
  const made = await api.post('/v5/timelines', { body: createBody(form, date, shifted(date, 1)) })
  toast(t.music.added(made.body), async () => {
    await api.delete('/v5/timelines/{id}', { path: { id: made.id } })
    refresh('timelines')
  })
}

const change = async (entry: Entry, form: Form, before: Form, date: string): Promise<void> => {
  const path = { id: entry.id }
  const body = changeBody(form, before, date, shifted(date, 1))
  const made = await api.put('/v5/timelines/{id}', { path, body })
  toast(t.music.saved(made.body), async () => {
    await api.put('/v5/timelines/{id}', { path, body: wholeOf(entry) })
    refresh('timelines')
  })
}

const wholeOf = ({ body, published_on, unpublish_on, channel, track }: Entry) => ({
  body,
  published_on,
  unpublish_on,
  channel_id: channel?.id ?? null,
  track_id: track?.id ?? null,
})

const remove = async (entry: Entry, onClose: () => void): Promise<void> => {
  try {
    await api.delete('/v5/timelines/{id}', { path: { id: entry.id } })
    onClose()
    refresh('timelines')
    toast(t.music.removed(entry.body), async () => {
      await api.post('/v5/timelines', { body: wholeOf(entry) })
      refresh('timelines')
    })
  } catch (error) {
    toastError(t.music.removing, error)
  }
}
