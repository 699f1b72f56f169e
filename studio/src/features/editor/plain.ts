import { formatTime } from '../../components/format.ts'
import { t } from '../../texts/index.ts'
import { listIn } from './saving/values.ts'

const hidden = new Set(['id', 'label', 'created_on', 'changed_on', 'format', '$key', 'slug'])

/** Anything that is stored, in words. */
export const plainOf = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return value ? t.common.yes : t.common.no
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? formatTime(value) : value
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return value.map(plainOf).join('\n')
  const { label, body, format, items, name, id } = value as Record<string, unknown>
  if (label === 'Text' && typeof body === 'string') return format ? body : textOf(body)
  if (items !== undefined) return listIn(items).map(plainOf).join('\n')
  if (typeof name === 'string') return name
  const parts = Object.entries(value).filter(([key]) => !hidden.has(key))
  const said = parts.map(([, inner]) => plainOf(inner)).filter(Boolean)
  return said.length > 0 ? said.join(' · ') : typeof id === 'string' ? id : ''
}

/** Paragraphs and items of lists on lines of their own. Nothing in it is run. */
const textOf = (html: string): string =>
  new DOMParser()
    .parseFromString(html.replace(/<\/(p|li)>|<br\s*\/?>/gi, '$&\n'), 'text/html')
    .body.textContent!.trim()
    .replace(/\n\s*\n/g, '\n')
