import { useRead } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'

/** Titles of publications by id, asked for all at once. */
export const useTitles = (ids: string[]): ((id: string) => string) => {
  const wanted = [...new Set(ids)].sort().slice(0, 100)
  const query = { 'id[in]': wanted.join(','), fields: 'title', limit: 100, total: false } as object
  const { data } = useRead('/publications', { query }, { enabled: wanted.length > 0 })
  return (id) => {
    const titles = data?.items.find((one) => one.id === id)?.title
    return Object.values(titles ?? {}).find(Boolean) ?? t.inbox.publication
  }
}
