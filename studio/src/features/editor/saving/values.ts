/** A value of a field as the interface speaks of it: its type and its properties. */
export type Value = { label: string } & Record<string, unknown>
export type Element = Value & { id?: string; $key: string }

export type Field = {
  api_id: string
  label: string
  title?: string | null
  description?: string | null
  required?: boolean
  localized?: boolean
  validations?: Validations
  default?: unknown
}
export type Validations = {
  min_length?: number | null
  max_length?: number | null
  min?: number | string | null
  max?: number | string | null
  values?: (string | number)[] | null
  max_items?: number | null
  models?: string[] | null
}

export const references = ['Publication', 'Asset', 'Person', 'TagBox']
/** Their id is what they say. */
export const ownIds = ['QuizPost', 'BroadcasterPost']
const stamps = new Set(['created_on', 'changed_on'])

/** A list also where the interface shows it keyed by index. */
export const listIn = (items: unknown): Record<string, unknown>[] =>
  Array.isArray(items)
    ? items
    : typeof items === 'object' && items !== null
      ? (Object.values(items) as Record<string, unknown>[])
      : []

/** What an answer shows, without the stamps that change by themselves; elements get a key that stays. */
export const toEdit = (shown: Record<string, unknown>): Value => {
  const label = shown.label as string
  const entries = Object.entries(shown).filter(
    ([name]) => !stamps.has(name) && (name !== 'id' || ownIds.includes(label)),
  )
  const value = Object.fromEntries(entries) as Value
  if (label === 'ElementBox')
    value.items = listIn(shown.items).map((item, index) => ({
      ...toEdit(item),
      id: item.id,
      $key: ownIds.includes(item.label as string) ? `${item.label} ${index} ${item.id}` : item.id,
    }))
  else if (references.includes(label))
    value.items = listIn(shown.items).map(({ id, body }) => (label === 'TagBox' ? { id, body } : { id }))
  return value
}

/** What is sent: new elements under the ids that the service has given them meanwhile. */
export const toSend = (value: unknown, ids: Map<string, string>): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const { $key, ...rest } = value as Element
  if (rest.label === 'ElementBox')
    rest.items = (rest.items as Element[]).map((element) => toSend(element, ids))
  else if (rest.label === 'TagBox')
    rest.items = (rest.items as { id?: string; body?: string }[]).map(({ id, body }) =>
      id ? { id } : { body },
    )
  if ($key && !ownIds.includes(rest.label)) rest.id ??= ids.get($key)
  return rest
}

/** Which ids new elements have got: the answer has them in the order in which they were sent. */
export const learnIds = (mine: unknown, theirs: unknown, ids: Map<string, string>): void => {
  const [sent, shown] = [mine, theirs] as [Value | null, Value | null]
  if (sent?.label !== 'ElementBox' || shown?.label !== 'ElementBox') return
  const [own, stored] = [sent.items as Element[], shown.items as Element[]]
  if (own.length !== stored.length) return
  own.forEach((element, index) => {
    const other = stored[index]!
    if (other.label !== element.label) return
    if (other.id) ids.set(element.$key, other.id)
    learnIds(element, other, ids)
  })
}

const minor = new Set(['label', 'format', 'type', 'id', '$key'])

/** Whether there is anything in it, roughly as the service judges it. */
export const isFilled = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  const { label, items, body, format } = value as Value
  if (ownIds.includes(label)) return !!(value as Value).id
  if (Array.isArray(items)) return items.length > 0
  if (label === 'Text' && typeof body === 'string') {
    const text = format === null || format === undefined ? body.replace(/<[^>]*>|&nbsp;/g, '') : body
    return text.trim() !== ''
  }
  return Object.entries(value).some(
    ([name, inner]) => !minor.has(name) && inner !== null && inner !== undefined && inner !== '',
  )
}

export const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** The names of the fields in order: those of the model, or what is there where there is none. */
export const fieldsIn = (items: Record<string, Record<string, { label: string }>>): Field[] => {
  const found = new Map<string, Field>()
  for (const values of Object.values(items))
    for (const [api_id, { label }] of Object.entries(values))
      found.set(api_id, { api_id, label, localized: true })
  return [...found.values()]
}

/** The one that gives the publication its title, as the service chooses it. */
export const titleField = (fields: Field[]): Field | undefined =>
  fields.find(({ api_id, label }) => api_id === 'title' && label === 'Text') ??
  fields.find(({ api_id, label }) => api_id === 'name' && label === 'Text') ??
  fields.find(({ label }) => label === 'Text')

/** The format of a text that is not written yet. */
export const firstFormat = (field: Field, isTitle: boolean): string | null => {
  const given = (field.default as { format?: string } | null | undefined)?.format
  return given ?? (isTitle ? 'H1' : null)
}

/** `opening_hours` → Opening hours. */
export const nameOf = ({ title, api_id }: Pick<Field, 'title' | 'api_id'>): string => {
  if (title) return title
  const words = api_id.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
