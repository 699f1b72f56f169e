import type { ModelRow } from '../../models/table.ts'
import type { StoredItems, StoredValue } from '../table.ts'
import { shownFields } from './collect.ts'
import type { Content } from './place.ts'
import { fieldTypes, plainBody, wordsOf } from './types.ts'

/** Neither null nor empty, and if it is rich text with something between its tags. */
export const isFilled = (value: StoredValue | Content): boolean => {
  if (value.label === 'Text' && value.format === null) return plainBody(value).trim() !== ''
  const { properties, minor = [] } = fieldTypes[value.label]
  return Object.keys(properties).some((name) => !minor.includes(name) && isSomething(value[name]))
}

const isSomething = (value: unknown): boolean => {
  if (typeof value === 'string') return value.trim() !== ''
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined
}

const maxTitle = 1_000
/** PostgreSQL cannot hold the words of more than a megabyte. */
const maxText = 400_000

/** What search finds a publication by, in one locale. */
export const textOf = (
  model: ModelRow | null,
  items: StoredItems,
): { title: string | null; text: string } => {
  const shown = shownFields(model, items)
  const text = shown.flatMap(([, value]) => wordsOf(value)).join('\n')
  return { title: titleOf(model, new Map(shown)), text: cut(text) }
}

/** In bytes; a half character at the end is left out. */
const cut = (text: string): string =>
  text.length * 3 <= maxText || Buffer.byteLength(text) <= maxText
    ? text
    : new TextDecoder().decode(Buffer.from(text).subarray(0, maxText), { stream: true })

const titleOf = (model: ModelRow | null, shown: Map<string, StoredValue>): string | null => {
  const first = model?.fields.find(({ label }) => label === 'Text')?.api_id
  const texts = [...shown.values()].filter(({ label }) => label === 'Text')
  const candidates = [shown.get('title'), shown.get('name'), first ? shown.get(first) : undefined, ...texts]
  for (const value of candidates) {
    const title = value && wordsOf(value)[0]?.replace(/\s+/g, ' ').trim().slice(0, maxTitle).toWellFormed()
    if (title) return title
  }
  return null
}
