import type { Marquee } from 'marquee-sdk'
import { api } from '../../api/client.ts'
import { queryClient, refresh } from '../../api/queries.ts'
import { formatTime } from '../../components/format.ts'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'

type Name = 'status' | 'publish_on'
type Shown = { id: string } & Record<Name, Record<string, unknown>>

/** In everything that is known, before the service has said yes. */
const show = (id: string, name: Name, locale: string, value: unknown): void => {
  const changed = <T extends Shown>(row: T): T =>
    row.id === id ? { ...row, [name]: { ...row[name], [locale]: value } } : row
  queryClient.setQueriesData({ queryKey: ['publications'] }, (known: unknown) => {
    const held = known as Shown & { pages?: { items: Shown[] }[] }
    if (held?.pages)
      return { ...held, pages: held.pages.map((page) => ({ ...page, items: page.items.map(changed) })) }
    return held?.status ? changed(held) : known
  })
}

/** Shown at once; taken back from the toast, and by itself where the service refuses. */
export const useChange = (row: Marquee.Publication) => {
  const put = async (name: Name, locale: string, value: unknown) => {
    show(row.id, name, locale, value)
    try {
      await api.put('/publications/{id}', {
        path: { id: row.id },
        body: { [name]: { [locale]: value } } as object,
      })
    } finally {
      refresh('publications')
    }
  }
  const change = async (name: Name, locale: string, value: unknown, done: string, what: string) => {
    const before = row[name][locale]
    try {
      await put(name, locale, value)
      toast(done, () => put(name, locale, name === 'status' ? pick(before) : before))
    } catch (error) {
      toastError(what, error)
    }
  }
  return {
    setStatus: (locale: string, body: string, title: string) =>
      change('status', locale, { body }, t.content.statusChanged(title, body), t.content.changeStatus),
    setPublishOn: (locale: string, moment: string | null, title: string) => {
      const done = moment ? t.content.scheduled(title, formatTime(moment)) : t.content.unscheduled(title)
      return change('publish_on', locale, moment, done, t.content.scheduling)
    },
  }
}

const pick = (status: unknown): { body: string } => ({ body: (status as { body: string }).body })
