import { isObject } from '../../../objects.ts'
import { defaultItems } from '../fields/defaults.ts'
import { readFields } from '../fields/read.ts'
import type { Publication, StoredItems, StoredValue } from '../table.ts'
import type { Applied, Applying } from './applied.ts'
import { localeOf, noneOf } from './apply-locales.ts'

/** Puts the sent values into their locales, or among those stored once; gives the locales that were emptied. */
export const applyItems = (applied: Applied, context: Applying): ReadonlySet<string> => {
  const { body, model, now } = context
  const emptied = new Set<string>()
  const moved = new Map<string, string>()
  const contents = body.items === null ? noneOf(applied) : isObject(body.items) ? body.items : {}
  if (model && context.before.version === 0)
    addDefaults(applied.after.shared, defaultItems(model, false, now.toISOString()), Object.values(contents))
  for (const [locale, sent] of Object.entries(contents)) {
    const isNew = !context.before.locales[locale]?.linked
    const state = localeOf(applied, context, locale, `items.${locale}`)
    if (!state) continue
    if (sent === null) {
      state.items = {}
      emptied.add(locale)
      continue
    }
    const read = readFields(sent, {
      path: `items.${locale}`,
      model,
      before: { ...context.before.shared, ...context.before.locales[locale]?.items },
      isForm: context.isForm,
      now: now.toISOString(),
    })
    applied.faults.push(...read.faults)
    applied.names.push(...read.names)
    if (model && isNew) addDefaults(state.items, defaultItems(model, true, now.toISOString()), [sent])
    for (const api_id of Object.keys(read.values)) place(applied, context, moved, locale, api_id, read.values)
  }
  return emptied
}

/** What a model gives where nothing is sent; a sent value, null included, takes its place. */
const addDefaults = (items: StoredItems, defaults: StoredItems, contents: unknown[]): void => {
  for (const [api_id, value] of Object.entries(defaults))
    if (!contents.some((sent) => isObject(sent) && Object.hasOwn(sent, api_id))) items[api_id] ??= value
}

/**
 * A field that is stored once may be sent under every locale. Values that only repeat what was there say nothing;
 * two that change it to different things contradict each other.
 */
const place = (
  { after, faults, placed }: Applied,
  { model, before }: Applying,
  moved: Map<string, string>,
  locale: string,
  api_id: string,
  values: Record<string, StoredValue | null>,
): void => {
  const value = values[api_id] ?? null
  const stored = before.locales[locale]?.items[api_id] ?? before.shared[api_id] ?? null
  if (value === stored) return
  const once = model?.fields.find((field) => field.api_id === api_id)?.localized === false
  const items = once ? after.shared : after.locales[locale]!.items
  if (once) {
    const text = contentText(value)
    if (moved.has(api_id) && moved.get(api_id) !== text)
      faults.push({
        path: `items.${locale}.${api_id}`,
        message: 'is stored once for all locales and was sent with another value',
      })
    moved.set(api_id, text)
    for (const state of Object.values(after.locales)) delete state.items[api_id]
  } else spread(after, api_id)
  if (value === null) delete items[api_id]
  else items[api_id] = value
  placed.push({ items, api_id, values, stored })
}

/** A value that was stored once before its field was localized goes into each locale that shows it. */
const spread = ({ shared, locales }: Publication, api_id: string): void => {
  const value = shared[api_id]
  if (!value) return
  for (const state of Object.values(locales)) if (state.linked) state.items[api_id] ??= value
  delete shared[api_id]
}

/** After the look-up: what turned out to say nothing new is again the value that was there. */
export const settleValues = ({ placed }: Applied): void => {
  for (const { items, api_id, values } of placed) {
    const value = values[api_id]
    if (value) items[api_id] = value
  }
}

/** What a value says, without what only we give it: two locales may send the same new element. */
const contentText = (value: StoredValue | null): string =>
  JSON.stringify(value, function (this: Partial<StoredValue>, name, inner) {
    const isOurs = this.created_on !== undefined && !ownIds.has(this.label ?? '')
    return name === 'changed_on' || name === 'created_on' || (name === 'id' && isOurs) ? undefined : inner
  })

/** Values whose id is what they say. */
const ownIds = new Set(['QuizPost', 'BroadcasterPost'])
