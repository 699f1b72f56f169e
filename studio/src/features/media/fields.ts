import { api } from '../../api/client.ts'
import type { Choice, FilterField } from '../../components/filters/filter.ts'
import { t } from '../../texts/index.ts'

export const findFolders = async (typed: string): Promise<Choice[]> => {
  const { items } = await api.get('/assets/folders')
  const wanted = typed.toLowerCase()
  return items
    .filter(({ folder }) => folder.toLowerCase().includes(wanted))
    .map(({ folder }) => ({ value: folder, label: folder }))
}

export const findTags = async (typed: string): Promise<Choice[]> => {
  const query = { limit: 100, total: false, ...(typed && { q: { fz: typed } }) }
  const { items } = await api.get('/tags', { query: query as object })
  return items.map(({ id, body }) => ({ value: id, label: body }))
}

const choices = <K extends string>(words: Record<K, string>): Choice[] =>
  Object.entries<string>(words).map(([value, label]) => ({ value, label }))

/** The filter language of assets. */
export const mediaFields = (): FilterField[] => [
  {
    name: 'label',
    title: t.media.label,
    type: 'choice',
    operators: ['in'],
    choices: choices(t.media.labels),
  },
  {
    name: 'folder',
    title: t.media.folder,
    type: 'choice',
    operators: ['eq', 'in', 'sw', 'has'],
    find: findFolders,
    labelOf: (value) => value,
  },
  { name: 'tags', title: t.media.tags, type: 'choice', operators: ['in', 'all', 'has'], find: findTags },
  {
    name: 'status',
    title: t.media.status,
    type: 'choice',
    operators: ['in'],
    choices: choices(t.media.statuses).filter(({ value }) => value !== 'uploading'),
  },
  { name: 'private', title: t.media.isPrivate, type: 'boolean', operators: ['eq'] },
  { name: 'created_on', title: t.media.createdOn, type: 'date', operators: ['gt', 'lt'] },
  { name: 'width', title: t.media.width, type: 'number', operators: ['gte', 'lte'] },
  { name: 'duration', title: t.media.duration, type: 'number', operators: ['gte', 'lte'] },
]
