import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { Asset } from './files.ts'

export const useProgress = (shown: readonly Asset[]): ReadonlyMap<string, number> => {
  const ids = shown.filter(({ status }) => status === 'processing').map(({ id }) => id)
  const { data } = useQuery({
    queryKey: ['progress', ids],
    queryFn: () => readProgress(ids),
    enabled: ids.length > 0,
    // Events tell when it is over, not how far it is.
    refetchInterval: 1500,
  })
  return data ?? none
}

const none: ReadonlyMap<string, number> = new Map()

const readProgress = async (ids: string[]): Promise<ReadonlyMap<string, number>> => {
  const query = { 'id[in]': ids.slice(0, 100).join(','), limit: 100, total: false }
  const { items } = await api.get('/assets', { query: query as object })
  return new Map(items.map(({ id, progress, status }) => [id, status === 'processing' ? (progress ?? 0) : 1]))
}

export const formatPercent = (part: number): string => `${Math.round(part * 100)}%`
