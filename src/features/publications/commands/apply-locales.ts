import { parseMoment } from '../../../database/values.ts'
import { isObject } from '../../../objects.ts'
import type { Structure } from '../structure.ts'
import type { Localized } from '../table.ts'
import type { Applied, Applying } from './applied.ts'

/** Status, dates, slug and who is assigned, for each locale that names one. */
export const applyLocales = (applied: Applied, context: Applying): void => {
  const { body } = context
  const locales = Array.isArray(body.locales) ? body.locales : []
  for (const [index, locale] of locales.entries())
    if (typeof locale === 'string') localeOf(applied, context, locale, `locales.${index}`)
  each(applied, context, 'status', applyStatus)
  each(applied, context, 'publish_on', applyMoment('publish_on'))
  each(applied, context, 'expire_on', applyMoment('expire_on'))
  each(applied, context, 'slug', applySlug)
  each(applied, context, 'assigned_to', applyAssigned)
}

type Apply = (
  applied: Applied,
  context: Applying,
  state: Localized,
  value: unknown,
  path: string,
  locale: string,
) => void

const each = (applied: Applied, context: Applying, name: string, apply: Apply): void => {
  const value = context.body[name]
  const sent = value === null ? noneOf(applied) : value
  if (!isObject(sent)) return
  for (const [locale, value] of Object.entries(sent)) {
    const state = localeOf(applied, context, locale, `${name}.${locale}`)
    if (state) apply(applied, context, state, value, `${name}.${locale}`, locale)
  }
}

/** null in place of all locales is null for each. */
export const noneOf = ({ after }: Applied): Record<string, null> =>
  Object.fromEntries(Object.keys(after.locales).map((locale) => [locale, null]))

/** The locale's state, begun where there is none; undefined, with a fault, where the environment lacks it. */
export const localeOf = (
  { after, faults }: Applied,
  { environment, structure }: Applying,
  locale: string,
  path: string,
): Localized | undefined => {
  if (Object.hasOwn(after.locales, locale)) return after.locales[locale]
  if (!environment.locales.includes(locale)) {
    faults.push({
      path,
      message: `is not a locale of this environment; it has ${environment.locales.join(', ')}`,
    })
    return undefined
  }
  after.locales[locale] = newLocale(structure)
  return after.locales[locale]
}

export const newLocale = (structure: Structure): Localized => ({
  slug: null,
  title: null,
  status_id: structure.findStatus({ body: 'To do' })!.id,
  publish_on: null,
  expire_on: null,
  assigned_to: null,
  version: 0,
  published: false,
  expired: false,
  main: false,
  items: {},
  linked: false,
})

/** By id, as a GET shows it, or by body; where both are sent the body decides, because it is what people edit. */
const applyStatus: Apply = ({ faults }, { structure }, state, value, path) => {
  const sent = isObject(value) ? value : { body: 'To do' }
  const body = typeof sent.body === 'string' ? sent.body : undefined
  const id = body === undefined && typeof sent.id === 'string' ? sent.id : undefined
  const status = structure.findStatus({
    ...(id !== undefined && { id }),
    ...(body !== undefined && { body }),
  })
  if (status) state.status_id = status.id
  else
    faults.push({
      path: id === undefined ? `${path}.body` : `${path}.id`,
      message: `must be one of ${[...structure.statuses.values()].map((known) => known.body).join(', ')}`,
    })
}

const applyMoment =
  (name: 'publish_on' | 'expire_on'): Apply =>
  ({ faults }, _context, state, value, path) => {
    const moment =
      typeof value === 'string' || typeof value === 'number'
        ? parseMoment(value)?.from.toISOString()
        : undefined
    if (value === null) state[name] = null
    else if (moment === undefined) faults.push({ path, message: 'must be a date: epoch seconds or ISO 8601' })
    // What a GET shows is cut to seconds; sent back it must not lose the rest.
    else if (moment.slice(0, 19) !== state[name]?.slice(0, 19) || !moment.endsWith('.000Z'))
      state[name] = moment
  }

const applySlug: Apply = ({ slugs }, { before }, state, value, _path, locale) => {
  if (value === null) state.slug = null
  else if (typeof value === 'string') {
    state.slug = value
    if (value !== before.locales[locale]?.slug) slugs[locale] = value
  }
}

const applyAssigned: Apply = ({ users }, _context, state, value, path) => {
  const id = isObject(value) && typeof value.id === 'string' ? value.id : null
  if (id !== null && id !== state.assigned_to) users.push({ path: `${path}.id`, id })
  state.assigned_to = id
}
