import type { FieldError } from '../../../errors.ts'
import { isObject } from '../../../objects.ts'
import type { EnvironmentRow } from '../../access/table.ts'
import type { ModelRow } from '../../models/table.ts'
import type { Structure } from '../structure.ts'
import type { Localized, Publication } from '../table.ts'
import { asValue, flatNames, labelOfFlat } from './flat.ts'
import { bodyOfStatus, expired, isExpiredName, statusNames } from './statuses.ts'

type Input = Record<string, unknown>

/** A body of version 5 in the words of the other generation. */
export type Translated = {
  body: Input
  faults: FieldError[]
  label: string | undefined
  /** Which field `name` stands for. */
  nameField: string
  locale: string
}

type Translating = {
  environment: EnvironmentRow
  structure: Structure
  before: Publication | null
  model: ModelRow | null
  sent: Input
}

export const translate = (
  environment: EnvironmentRow,
  structure: Structure,
  before: Publication | null,
  sent: Input,
): Translated => {
  const model = structure.models.get(before?.model_id ?? '') ?? null
  const translating = { environment, structure, before, model, sent }
  const locale = mainIn(before) ?? environment.default_locale
  const state = before?.locales[locale]
  const nameField = nameFieldOf(model, state)
  const faults: FieldError[] = []
  const items = itemsOf(translating, nameField, state)
  const body = {
    ...(Object.keys(items).length > 0 && { items: { [locale]: items } }),
    ...(!before && { locales: [locale] }),
    ...statusOf(translating, locale, state, faults),
    ...datesOf(translating, locale, state, faults),
    ...(sent.slug !== undefined && { slug: { [locale]: sent.slug } }),
    ...firstOf('channels', sent.channel, before?.channel_ids),
    ...firstOf('containers', sent.container, before?.container_ids),
  }
  return { body, faults, label: labelOf(translating, faults), nameField, locale }
}

/** The locale that version 5 shows. */
const mainIn = (publication: Publication | null): string | undefined =>
  Object.keys(publication?.locales ?? {}).find((locale) => publication!.locales[locale]!.main)

/** The field that gives the title. */
const nameFieldOf = (model: ModelRow | null, state: Localized | undefined): string => {
  if (!model) return state?.items.title ? 'title' : 'name'
  const has = (name: string): boolean => model.fields.some(({ api_id }) => api_id === name)
  if (has('title') || has('name')) return has('title') ? 'title' : 'name'
  return model.fields.find(({ label }) => label === 'Text')?.api_id ?? 'name'
}

const itemsOf = ({ sent, model }: Translating, nameField: string, state: Localized | undefined): Input => {
  const flat = flatNames
    .filter((name) => sent[name] !== undefined)
    .map((name) => [name, sent[name] === null ? null : asValue(labelOfFlat(name, model), sent[name])])
  const { name } = sent
  const isNamed = name !== undefined && name !== (state?.title ?? null)
  return {
    ...Object.fromEntries(flat),
    ...(isNamed && { [nameField]: nameValue(name, model, nameField, state) }),
  }
}

/** Plain text, which only headings are. */
const nameValue = (
  name: unknown,
  model: ModelRow | null,
  field: string,
  state: Localized | undefined,
): unknown => {
  if (name === null) return null
  const label = model?.fields.find(({ api_id }) => api_id === field)?.label ?? 'Text'
  if (label !== 'Text') return asValue(label, name)
  const format = state?.items[field]?.format
  return { label, body: name, format: /^H\d$/.test(String(format)) ? format : 'H1' }
}

const statusOf = (
  { sent, structure }: Translating,
  locale: string,
  state: Localized | undefined,
  faults: FieldError[],
): Input => {
  const { status } = sent
  if (status === undefined || status === null) return {}
  const isOver = isExpiredName(String(status))
  // What a GET showed is sent back.
  if (isOver && state?.expired) return {}
  const body = bodyOfStatus(String(status))
  if (!isOver && structure.findStatus({ body })) return { status: { [locale]: { body } } }
  const message = isOver
    ? `${expired} comes by itself when unpublish_on is past`
    : `must be one of ${statusNames(structure).join(', ')}`
  faults.push({ path: 'status', message })
  return {}
}

const datesOf = (
  { sent }: Translating,
  locale: string,
  state: Localized | undefined,
  faults: FieldError[],
): Input => {
  const { published_on, unpublish_on } = sent
  if (published_on === null && state?.publish_on)
    faults.push({ path: 'published_on', message: 'is required' })
  return {
    ...(published_on !== undefined && published_on !== null && { publish_on: { [locale]: published_on } }),
    ...(unpublish_on !== undefined && { expire_on: { [locale]: unpublish_on } }),
  }
}

/** Only the first is seen, and changed; those behind it stay. */
const firstOf = (name: string, sent: unknown, before: readonly string[] = []): Input => {
  if (sent === undefined) return {}
  const id = isObject(sent) ? sent.id : undefined
  if (id === before[0]) return {}
  const rest = before.slice(1).filter((one) => one !== id)
  return { [name]: [...(id === undefined ? [] : [id]), ...rest].map((one) => ({ id: one })) }
}

/** The label of a publication that has a model is the name of it. */
const labelOf = ({ sent, model }: Translating, faults: FieldError[]): string | undefined => {
  const { label } = sent
  if (typeof label !== 'string') return undefined
  if (!model) return label
  if (label !== model.body)
    faults.push({ path: 'label', message: `is told by the model, which is "${model.body}"` })
  return undefined
}
