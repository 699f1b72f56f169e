import { useEffect, useState } from 'react'
import { queryClient, readOptions } from '../../api/queries.ts'
import { useLive } from '../../live/live.ts'
import { type Field, fieldsIn } from './saving/values.ts'
import { makeWork, type Work } from './saving/work.ts'

export type Model = { id: string; body: string; stories: boolean; channels: boolean }
export type Opened = { work: Work; fields: Field[]; model: Model | undefined }

/** Work that is left behind unsent goes on until it is sent; who comes back finds it. */
const desks = new Map<string, Opened>()

const modelOf = async (id: string): Promise<Model & { fields: Field[] }> => {
  const query = { fields: 'fields' }
  return (await queryClient.fetchQuery({
    ...readOptions('/publication_models/{id}', { path: { id }, query }),
    staleTime: 0,
  })) as never
}

type Where = { environment: string; locale: string; id: string | undefined; model: string | undefined }

const open = async ({ environment, locale, id, model: wanted }: Where): Promise<Opened> => {
  const left = id ? desks.get(id) : undefined
  if (left?.work.isBusy()) return left
  for (const [one, { work }] of desks) if (!work.isBusy()) desks.delete(one)
  const query = { draft: true, fields: 'items,model' }
  const read = id && readOptions('/publications/{id}', { path: { id }, query })
  const publication = read ? await queryClient.fetchQuery({ ...read, staleTime: 0 }) : undefined
  const modelId = publication ? publication.model?.id : wanted
  const model = modelId ? await modelOf(modelId) : undefined
  const fields = model?.fields ?? fieldsIn((publication?.items ?? {}) as never)
  const work = makeWork({ environment, id, model: modelId, fields, locale })
  await work.open()
  const opened = { work, fields, model }
  if (id) desks.set(id, opened)
  return opened
}

export const useWork = (where: Where | undefined): { opened: Opened | undefined; error: unknown } => {
  const [opened, setOpened] = useState<Opened>()
  const [error, setError] = useState<unknown>()
  const { environment, locale, id, model } = where ?? {}
  useEffect(() => {
    if (!environment || !locale) return
    // What was just made here has got its address.
    if (opened && id && opened.work.id() === id) return
    let left = false
    setError(undefined)
    setOpened(undefined)
    open({ environment, locale, id, model }).then(
      (found) => !left && setOpened(found),
      (failure) => !left && setError(failure),
    )
    return () => {
      left = true
    }
    // `opened` is only looked at when the address changes.
  }, [environment, locale, id, model])
  useKeeping(opened?.work)
  return { opened, error }
}

/** Sends when the page is left or the network is back, and takes in what others do. */
const useKeeping = (work: Work | undefined): void => {
  useLive(({ payload }) => {
    if (work && payload.id === work.id()) work.refresh().catch(() => {})
  })
  useEffect(() => {
    if (!work) return
    const end = new AbortController()
    const { signal } = end
    const refresh = () => work.refresh().catch(() => {})
    window.addEventListener('online', work.retry, { signal })
    window.addEventListener('focus', refresh, { signal })
    document.addEventListener(
      'visibilitychange',
      () => document.visibilityState === 'hidden' && work.retry(),
      { signal },
    )
    return () => {
      end.abort()
      work.retry()
    }
  }, [work])
}
