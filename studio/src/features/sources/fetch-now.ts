import { useState } from 'react'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import type { Source } from './source.ts'

const patience = 12_000
const pause = 500

/** The source as it is once it was asked; undefined where that takes longer than anybody waits. */
const whenAsked = async ({ id, fetched_on }: Source): Promise<Source | undefined> => {
  for (const end = Date.now() + patience; Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    const source = await api.get('/v5/sources/{id}', { path: { id } })
    if (source.fetched_on !== fetched_on) return source
  }
  return undefined
}

/** Asks a source at once and tells how that went. */
export const useFetchNow = (source: Source) => {
  const [isFetching, setFetching] = useState(false)
  const { id, name } = source
  const fetchNow = async () => {
    setFetching(true)
    try {
      await api.post('/v5/sources/{id}/fetch', { path: { id } })
      const asked = await whenAsked(source)
      refresh('sources')
      if (!asked) toast(t.sources.slow(name))
      else toast(asked.error ? t.sources.fetchFailed(name, asked.error) : t.sources.fetched(name))
    } catch (error) {
      toastError(t.sources.fetching, error)
    } finally {
      setFetching(false)
    }
  }
  return { fetchNow, isFetching }
}
