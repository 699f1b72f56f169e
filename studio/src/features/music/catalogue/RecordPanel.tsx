import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useCan } from '../../../api/access.ts'
import { api } from '../../../api/client.ts'
import { refresh, useRead } from '../../../api/queries.ts'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { faultsOf } from '../../../components/explain.ts'
import { leaveLater } from '../../../components/leaving.ts'
import { Panel } from '../../../components/Panel.tsx'
import { toast, toastError } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'
import { Cover } from './Cover.tsx'
import { bodyOf, emptyForm, type Form, formOf } from './form.ts'
import { RecordForm } from './RecordForm.tsx'
import { allFields, type Kind, type Music } from './record.ts'

type Props = {
  kind: Kind
  /** An id, `new`, or nothing. */
  id: string | undefined
  onClose: () => void
  onMade: (id: string) => void
}

/** An artist or a track beside the list, to be changed or made. */
export const RecordPanel = ({ kind, id, onClose, onMade }: Props) => {
  const isNew = id === 'new'
  const read = useRead(
    `/v5/${kind}/{id}`,
    { path: { id: id ?? '' }, query: { fields: allFields[kind] } },
    { enabled: id !== undefined && !isNew },
  )
  const music = isNew ? undefined : (read.data as Music | undefined)
  const fresh = kind === 'tracks' ? t.music.newTrack : t.music.newArtist
  return (
    <Panel
      title={isNew ? fresh : (music?.body ?? t.common.loading)}
      opened={id !== undefined}
      onClose={onClose}
      width={420}
    >
      {!isNew && read.error && (
        <ErrorState title={t.music.recordFailed} error={read.error} retry={read.refetch} />
      )}
      {!isNew && !music && !read.error && <Skeleton height={240} />}
      {(isNew || music) && (
        <Inside
          // What others change meanwhile is shown, unless something was typed here that would be lost.
          key={music?.id ?? 'new'}
          kind={kind}
          music={music}
          onClose={onClose}
          onMade={onMade}
        />
      )}
    </Panel>
  )
}

type InsideProps = Omit<Props, 'id'> & { music: Music | undefined }

const Inside = ({ kind, music, onClose, onMade }: InsideProps) => {
  const isFixed = !useCan()('content_items_publish')
  const before = music ? formOf(kind, music) : emptyForm(kind)
  const [changes, setChanges] = useState<Partial<Form>>({})
  const [faults, setFaults] = useState<Record<string, string>>({})
  const form = { ...before, ...changes }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    try {
      if (music) await put(kind, music, form, before)
      else onMade(await make(kind, form))
      setChanges({})
      setFaults({})
    } catch (error) {
      setFaults(faultsOf(error))
      toastError(t.music.savingRecord, error)
    }
  }
  const remove = () => {
    onClose()
    leaveLater({
      id: music!.id,
      message: t.music.recordDeleted(music!.body),
      what: t.music.deleting,
      remove: () => api.delete(`/v5/${kind}/{id}`, { path: { id: music!.id } }),
      after: () => refresh(kind),
    })
  }
  return (
    <form onSubmit={save}>
      <Stack gap="md">
        {music && <Cover kind={kind} music={music} isFixed={isFixed} />}
        {kind === 'artists' && music && (
          <Button
            component={Link}
            {...({ to: '/music/tracks', search: { 'artists[in]': music.id } } as object)}
            size="xs"
            variant="default"
          >
            {t.music.showTracks} ({music.tracks?.total ?? 0})
          </Button>
        )}
        <RecordForm
          kind={kind}
          form={form}
          faults={faults}
          isFixed={isFixed}
          onChange={(next) => setChanges((held) => ({ ...held, ...next }))}
        />
        {!isFixed && (
          <Group gap="sm">
            <Button type="submit" size="xs">
              {music ? t.actions.save : t.music.make}
            </Button>
            {music && (
              <Button size="xs" variant="default" onClick={remove}>
                {t.actions.delete}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </form>
  )
}

const make = async (kind: Kind, form: Form): Promise<string> => {
  const body = bodyOf(kind, form, emptyForm(kind), undefined)
  const made = (await api.post(`/v5/${kind}`, { body } as never)) as Music
  refresh('tracks', 'artists')
  toast(t.music.recordMade(made.body))
  return made.id
}

const put = async (kind: Kind, music: Music, form: Form, before: Form): Promise<void> => {
  const send = (body: object) => api.put(`/v5/${kind}/{id}`, { path: { id: music.id }, body } as never)
  const body = bodyOf(kind, form, before, music)
  await send(body)
  refresh('tracks', 'artists')
  toast(t.music.recordSaved(form.body), async () => {
    await send(bodyOf(kind, before, form, music))
    refresh('tracks', 'artists')
  })
}
