import type { Input } from '../commands/applied.ts'
import { linkedLocales } from '../facets.ts'
import type { Publication } from '../table.ts'
import { ofItems } from './changes.ts'
import type { DraftRow } from './store.ts'

type Put = (body: Body, value: never, locale: string) => void
type PerLocale = Record<string, unknown>
type Body = Input & { items: Record<string, PerLocale | null>; locales: string[] }

const reference = (id: string | null) => (id === null ? null : { id })
const references = (ids: string[]) => ids.map((id) => ({ id }))
const under =
  (name: string, write: (value: never) => unknown = (value) => value): Put =>
  (body, value, locale) => {
    body[name] = { ...(body[name] as PerLocale), [locale]: write(value) }
  }

/** How each thing that a draft changes is written in a body. */
const puts: Record<string, Put> = {
  model_id: (body, id) => {
    body.model = reference(id)
  },
  channel_ids: (body, ids) => {
    body.channels = references(ids)
  },
  container_ids: (body, ids) => {
    body.containers = references(ids)
  },
  slug: under('slug'),
  status_id: under('status', reference),
  publish_on: under('publish_on'),
  expire_on: under('expire_on'),
  assigned_to: under('assigned_to', reference),
  linked: (body, linked, locale) => {
    if (linked) body.locales.push(locale)
    else body.items[locale] = null
  },
}

/** The body of a PUT that would do what the draft does. What is stored once is sent under a locale that shows it. */
export const asBody = (after: Publication, rows: DraftRow[], defaultLocale: string): Input => {
  const body: Body = { items: {}, locales: [] }
  for (const { locale, changes } of rows) {
    const sentUnder = locale || linkedLocales(after)[0] || defaultLocale
    for (const [name, { value }] of Object.entries(changes)) {
      if (!name.startsWith(ofItems)) puts[name]!(body, value as never, locale)
      else if (body.items[sentUnder] !== null)
        body.items[sentUnder] = { ...body.items[sentUnder], [name.slice(ofItems.length)]: value }
    }
    if (changes.linked?.value === false) body.items[locale] = null
  }
  return body
}
