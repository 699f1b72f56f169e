import { useQuery } from '@tanstack/react-query'
import type { Marquee } from 'marquee-sdk'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { keyOf, queryClient, refresh } from '../../api/queries.ts'
import { type Field, sentField } from './field-rules.ts'

export type Model = {
  body: string
  description: string | null
  stories: boolean
  channels: boolean
  fields: Field[]
}
type Known = { model: Model; etag: string | undefined }

const blank: Model = { body: '', description: null, stories: true, channels: true, fields: [] }
const withFields = { fields: 'fields' }

export const modelOf = ({
  body,
  description,
  stories,
  channels,
  fields = [],
}: Marquee.PublicationModel): Model => ({
  body,
  description,
  stories,
  channels,
  fields: fields.map((field) => ({ ...field, key: field.api_id, savedAs: field.api_id })) as Field[],
})

export const sentModel = ({ body, description, fields, ...rest }: Model) => ({
  ...rest,
  body: body.trim(),
  description: description?.trim() || null,
  fields: fields.map(sentField),
})

const knownFrom = async (response: Response): Promise<Known> => ({
  model: modelOf(await response.json()),
  etag: response.headers.get('etag') ?? undefined,
})

const keyFor = (id: string) => keyOf('/publication_models/{id}', { edit: id })

/** What is not saved survives a reload and a way round through other pages, in this tab. */
const shelf = (id: string): string => `marquee.model.${id}`
const keptOf = (id: string): Known | undefined => {
  const kept = sessionStorage.getItem(shelf(id))
  return kept === null ? undefined : JSON.parse(kept)
}

const isSame = (one: Model, other: Model): boolean =>
  JSON.stringify(sentModel(one)) === JSON.stringify(sentModel(other))

/** A model with the changes that are not saved; `new` is one that is not there yet. */
export const useModel = (id: string) => {
  const isNew = id === 'new'
  const read = useQuery({
    queryKey: keyFor(id),
    queryFn: async ({ signal }) =>
      knownFrom(
        await api.fetch('GET', '/publication_models/{id}', { path: { id }, query: withFields, signal }),
      ),
    enabled: !isNew,
  })
  const known = isNew ? { model: blank, etag: undefined } : read.data
  const [draft, setDraft] = useState(() => keptOf(id))
  const [wasKept, setWasKept] = useState(draft !== undefined)
  const put = (next: Known | undefined) => {
    setDraft(next)
    if (next) sessionStorage.setItem(shelf(id), JSON.stringify(next))
    else sessionStorage.removeItem(shelf(id))
  }
  const isDirty = draft !== undefined && known !== undefined && !isSame(draft.model, known.model)
  return {
    saved: known?.model,
    model: known && (draft?.model ?? known.model),
    isNew,
    isDirty,
    isStale: isDirty && !isNew && draft.etag !== known.etag,
    wasKept: wasKept && isDirty,
    error: read.error,
    retry: read.refetch,
    change: (changes: Partial<Model>) => {
      const before = draft ?? known!
      put({ etag: before.etag, model: { ...before.model, ...changes } })
    },
    discard: () => {
      put(undefined)
      setWasKept(false)
    },
    /** Without `over` only where nobody else has changed it meanwhile. */
    save: async (over = false): Promise<void> => {
      const { model, etag } = draft!
      await writeModel(id, model, over || !etag ? {} : { 'if-match': etag })
      put(undefined)
      setWasKept(false)
    },
    create: async (): Promise<string> => {
      const made = await api.post('/publication_models', {
        body: sentModel((draft ?? known!).model) as never,
      })
      put(undefined)
      refresh('publication_models')
      return made.id
    },
  }
}

export const writeModel = async (
  id: string,
  model: Model,
  headers: Record<string, string> = {},
): Promise<void> => {
  const options = { path: { id }, query: withFields, body: sentModel(model), headers }
  const known = await api.fetch('PUT', '/publication_models/{id}', options).then(knownFrom)
  queryClient.setQueryData(keyFor(id), known)
  refresh('publication_models')
}

/** How many publications have the model. */
export const useUseOf = (id: string): number | undefined =>
  useQuery({
    queryKey: ['model-use', id],
    queryFn: async ({ signal }) =>
      (await api.get('/publications', { query: { 'model[eq]': id, limit: 1 } as never, signal })).total ?? 0,
    enabled: id !== 'new',
    staleTime: 30_000,
  }).data
