import { useNavigate } from '@tanstack/react-router'
import type { Marquee } from 'marquee-sdk'
import { useEffect, useState } from 'react'
import { api } from '../../../api/client.ts'
import { queryClient, refresh, useRead } from '../../../api/queries.ts'
import { toast, toastError } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'
import { blankDraft, type Draft, storeDraft, storedDraft } from './draft.ts'
import { readRules, writeRules } from './rules.ts'

export type Segment = Marquee.Segment
const draftOf = ({ body, rules }: Segment): Draft => ({ body, group: readRules(rules) })

/** A segment and what is being made of it. `new` is one that is not there yet. */
export const useSegment = (id: string) => {
  const isNew = id === 'new'
  const navigate = useNavigate()
  const read = useRead('/segments/{id}', { path: { id } }, { enabled: !isNew })
  const [changed, setChanged] = useState<Draft | undefined>(() => storedDraft(id))
  useEffect(() => setChanged(storedDraft(id)), [id])
  const segment = isNew ? undefined : read.data
  const saved = segment ? draftOf(segment) : blankDraft
  const write = (draft: Draft | undefined) => {
    storeDraft(id, draft)
    setChanged(draft)
  }
  const put = async (body: object) => {
    const next = await api.put('/segments/{id}', { path: { id }, body })
    queryClient.setQueryData(['segments', '/segments/{id}', { path: { id } }], next)
    refresh('segments', 'persons')
  }
  const save = async () => {
    const draft = changed ?? saved
    const body = { body: draft.body.trim(), rules: writeRules(draft.group) }
    try {
      if (isNew) {
        const made = await api.post('/segments', { body })
        write(undefined)
        refresh('segments')
        toast(t.audience.segmentSaved(made.body))
        await navigate({ to: '/audience/segments/$id', params: { id: made.id } as never, replace: true })
        return
      }
      const before = { body: segment!.body, rules: segment!.rules }
      await put(body)
      write(undefined)
      toast(t.audience.segmentSaved(body.body), () => put(before))
    } catch (error) {
      toastError(t.audience.segmentSaving, error)
    }
  }
  /** Taken back, it is made anew with the same name and rules. */
  const remove = async () => {
    const { body, rules } = segment!
    try {
      await api.delete('/segments/{id}', { path: { id } })
      write(undefined)
      await navigate({ to: '/audience/segments' })
      refresh('segments')
      toast(t.audience.segmentDeleted(body), async () => {
        await api.post('/segments', { body: { body, rules } })
        refresh('segments')
      })
    } catch (error) {
      toastError(t.audience.segmentDelete, error)
    }
  }
  return {
    isNew,
    segment,
    draft: changed ?? saved,
    isChanged: changed !== undefined,
    isLoading: !isNew && read.isLoading,
    error: isNew || segment ? null : read.error,
    retry: read.refetch,
    write,
    save,
    remove,
  }
}
