import { api } from '../../../api/client.ts'
import type { Choice, FilterField } from '../../../components/filters/filter.ts'
import { t } from '../../../texts/index.ts'

type Named = { id: string; name?: string; body?: string }

export const find =
  (path: '/channels' | '/tags') =>
  async (typed: string): Promise<Choice[]> => {
    const query = { limit: 100, total: false, ...(typed && { q: { fz: typed } }) }
    const { items } = await api.get(path, { query: query as object })
    return (items as Named[]).map(({ id, name, body }) => ({ value: id, label: name ?? body ?? id }))
  }

const choices = (words: Record<string, string>): Choice[] =>
  Object.entries(words).map(([value, label]) => ({ value, label }))

/** The filter language of messages. */
export const messageFields = (): FilterField[] => [
  {
    name: 'channels',
    title: t.inbox.channel,
    type: 'choice',
    operators: ['in', 'has'],
    find: find('/channels'),
  },
  { name: 'label', title: t.inbox.kind, type: 'choice', operators: ['in'], choices: choices(t.inbox.labels) },
  { name: 'favorites', title: t.inbox.favorites, type: 'boolean', operators: ['has'] },
  { name: 'on_screen', title: t.inbox.onScreen, type: 'boolean', operators: ['has'] },
  {
    name: 'assets',
    title: t.inbox.attachments,
    type: 'choice',
    operators: ['in', 'has'],
    choices: choices(t.inbox.kinds),
  },
  { name: 'tags', title: t.inbox.tags, type: 'choice', operators: ['in', 'all', 'has'], find: find('/tags') },
  { name: 'moods', title: t.inbox.moods, type: 'choice', operators: ['in', 'has'], find: find('/tags') },
  { name: 'created_on', title: t.inbox.time, type: 'date', operators: ['gt', 'lt'] },
]
