import { api } from '../../api/client.ts'
import type { Choice } from '../../components/filters/filter.ts'
import { t } from '../../texts/index.ts'
import { type Person, personName, rowFields } from './person.ts'

type Titled = { id: string; title?: Record<string, string | null> }

export const titleOf = ({ title }: Titled): string =>
  Object.values(title ?? {}).find(Boolean) || t.common.unnamed

const asChoices = (items: Titled[]): Choice[] =>
  items.map((item) => ({ value: item.id, label: titleOf(item) }))

/** The latest, or what has the words. */
export const findPublications = async (typed: string): Promise<Choice[]> => {
  const query = { limit: 20, total: false, fields: 'title', ...(typed && { q: typed }) }
  return asChoices((await api.get('/publications', { query })).items)
}

/** Those that are gone are left out. */
export const namedPublications = async (ids: string[]): Promise<Choice[]> => {
  if (ids.length === 0) return []
  const query = { limit: 100, total: false, fields: 'title', 'id[in]': ids.slice(0, 100).join() }
  return asChoices((await api.get('/publications', { query: query as object })).items)
}

type Bodied = { id: string; body: string }
const byName =
  (path: '/tags' | '/segments', valueIn: (one: Bodied) => string) =>
  async (typed: string): Promise<Choice[]> => {
    const query = { limit: 100, total: false, ...(typed && { q: { fz: typed } }) }
    const { items } = await api.get(path, { query: query as object })
    return (items as Bodied[]).map((one) => ({ value: valueIn(one), label: one.body }))
  }
const named =
  (path: '/tags' | '/segments') =>
  async (ids: string[]): Promise<Choice[]> => {
    const query = { limit: 100, total: false, 'id[in]': ids.slice(0, 100).join() }
    const { items } = await api.get(path, { query: query as object })
    return (items as Bodied[]).map(({ id, body }) => ({ value: id, label: body }))
  }
export const findTags = byName('/tags', ({ id }) => id)
export const namedTags = named('/tags')
export const findTagBodies = byName('/tags', ({ body }) => body)
export const findSegments = byName('/segments', ({ id }) => id)
export const namedSegments = named('/segments')

export const findPersons = async (typed: string): Promise<Choice[]> => {
  const query = { limit: 20, total: false, fields: rowFields, ...(typed && { q: typed }) }
  const { items } = await api.get('/persons', { query })
  return items.map(personChoice)
}

/** With an address, because names are not unique. */
const personChoice = (person: Person): Choice => {
  const name = personName(person)
  const email = person.emails?.items?.[0]?.email
  return { value: person.id, label: email && email !== name ? `${name} · ${email}` : name }
}

export const namedPersons = async (ids: string[]): Promise<Choice[]> => {
  const query = { limit: 100, total: false, fields: rowFields, 'id[in]': ids.slice(0, 100).join() }
  const { items } = await api.get('/persons', { query: query as object })
  return items.map(personChoice)
}
