import type { Marquee } from 'marquee-sdk'
import { type Field, toEdit, toSend } from './values.ts'

/**
 * Everything that is edited has a key of its own: `items|en-US|title`, `items||price` for a field that is stored once,
 * `status|en-US`, `channels`.
 */
export type Entries = Map<string, unknown>

export const perLocale = ['status', 'publish_on', 'expire_on', 'slug', 'assigned_to'] as const
export type PerLocale = (typeof perLocale)[number]

export const itemKey = (field: Field, locale: string): string =>
  `items|${field.localized === false ? '' : locale}|${field.api_id}`
export const localeKey = (name: PerLocale, locale: string): string => `${name}|${locale}`

/** What the editor reads of a draft. */
export const draftFields =
  'items,title,locales,model,expire_on,assigned_to,channels{name},containers{body},draft'

const shown: Record<PerLocale, (value: never) => unknown> = {
  status: (status: { body: string }) => ({ body: status.body }),
  publish_on: (moment) => moment,
  expire_on: (moment) => moment,
  slug: (slug) => slug,
  assigned_to: (user: { id: string; name?: string } | null) => user && { id: user.id, name: user.name },
}

/** Key → value of a publication. */
export const entriesOf = (publication: Marquee.Publication, fields: Field[]): Entries => {
  const entries: Entries = new Map()
  const known = new Map(fields.map((field) => [field.api_id, field]))
  for (const [locale, values] of Object.entries(publication.items ?? {}))
    for (const [api_id, value] of Object.entries(values)) {
      const field = known.get(api_id)
      if (field) entries.set(itemKey(field, locale), toEdit(value as never))
    }
  for (const name of perLocale)
    for (const [locale, value] of Object.entries(publication[name] ?? {}))
      entries.set(localeKey(name, locale), value === null ? null : shown[name](value as never))
  entries.set(
    'channels',
    (publication.channels ?? []).map(({ id, name }) => ({ id, name })),
  )
  entries.set(
    'containers',
    (publication.containers ?? []).map(({ id, body }) => ({ id, body })),
  )
  return entries
}

type Body = Record<string, unknown> & { items: Record<string, Record<string, unknown>> }

const sent: Record<PerLocale, (value: never) => unknown> = {
  status: (status) => status,
  publish_on: (moment) => moment,
  expire_on: (moment) => moment,
  slug: (slug) => slug,
  assigned_to: (user: { id: string } | null) => user && { id: user.id },
}

/** The body that writes these entries; what is stored once goes under `locale`. */
export const bodyOf = (entries: Entries, locale: string, ids: Map<string, string>): Body => {
  const body: Body = { items: {} }
  for (const [key, value] of entries) {
    const [name, place, api_id] = key.split('|') as [string, string, string]
    if (name === 'items') {
      const under = place || locale
      body.items[under] = { ...body.items[under], [api_id]: toSend(value, ids) }
    } else if (place !== undefined) {
      const write = sent[name as PerLocale]
      body[name] = { ...(body[name] as object), [place]: write(value as never) }
    } else body[name] = (value as { id: string }[]).map(({ id }) => ({ id }))
  }
  return body
}

/** The key that a fault such as `items.en-US.title.body` is about. */
export const keyOfPath = (path: string, fields: Field[]): string => {
  const [name = '', place = '', api_id = ''] = path.split('.')
  if (name === 'items') {
    const field = fields.find((one) => one.api_id === api_id)
    return field ? itemKey(field, place) : path
  }
  return (perLocale as readonly string[]).includes(name) ? `${name}|${place}` : name
}
