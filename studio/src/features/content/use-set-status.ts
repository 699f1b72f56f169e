import type { Marquee } from 'marquee-sdk'
import { api } from '../../api/client.ts'
import { queryClient, refresh } from '../../api/queries.ts'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'

type Shown = { id: string; status: Record<string, { body: string }> }

/** In everything that is known, before the service has said yes. */
const showStatus = (id: string, locale: string, body: string): void => {
  const changed = <T extends Shown>(row: T): T =>
    row.id === id ? { ...row, status: { ...row.status, [locale]: { ...row.status[locale], body } } } : row
  queryClient.setQueriesData({ queryKey: ['publications'] }, (known: unknown) => {
    const held = known as Shown & { pages?: { items: Shown[] }[] }
    if (held?.pages)
      return { ...held, pages: held.pages.map((page) => ({ ...page, items: page.items.map(changed) })) }
    return held?.status ? changed(held) : known
  })
}

/** Shown at once; taken back from the toast, and by itself where the service refuses. */
export const useSetStatus = (row: Marquee.Publication) => {
  const put = async (locale: string, body: string) => {
    showStatus(row.id, locale, body)
    try {
      await api.put('/publications/{id}', {
        path: { id: row.id },
        body: { status: { [locale]: { body } } } as object,
      })
    } finally {
      refresh('publications')
    }
  }
  return async (locale: string, body: string, title: string): Promise<void> => {
    const before = row.status[locale]?.body
    try {
      await put(locale, body)
      toast(t.content.statusChanged(title, body), before ? () => put(locale, before) : undefined)
    } catch (error) {
      toastError(t.content.changeStatus, error)
    }
  }
}
