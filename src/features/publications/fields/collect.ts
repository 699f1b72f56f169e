import type { ModelRow } from '../../models/table.ts'
import type { StoredItems, StoredValue } from '../table.ts'
import type { ReferenceKind } from './names.ts'
import { fieldTypes, plainBody } from './types.ts'

/**
 * The fields that are seen, in the model's order. Values of fields that the model has no more, or has as another
 * type, stay stored and come back with the field.
 */
export const shownFields = (model: ModelRow | null, items: StoredItems): [string, StoredValue][] => {
  if (!model) return Object.entries(items)
  return model.fields.flatMap(({ api_id, label }): [string, StoredValue][] => {
    const value = Object.hasOwn(items, api_id) ? items[api_id] : undefined
    return value?.label === label ? [[api_id, value]] : []
  })
}

/** What values lead to, those inside elements too; each thing once. Tags are among them. */
export const referencesOf = (items: StoredItems): { kind: ReferenceKind; id: string }[] => {
  const found = new Map<string, { kind: ReferenceKind; id: string }>()
  const visit = (value: StoredValue): void => {
    const { kind } = fieldTypes[value.label]
    if (value.label === 'ElementBox') (value.items as StoredValue[]).forEach(visit)
    else if (kind)
      for (const { id } of value.items as { id: string }[]) found.set(`${kind} ${id}`, { kind, id })
  }
  Object.values(items).forEach(visit)
  return [...found.values()]
}

export const tagIdsOf = (items: StoredItems): string[] =>
  referencesOf(items).flatMap(({ kind, id }) => (kind === 'Tag' ? [id] : []))

export type FilterValue = {
  api_id: string
  position: number
  number: number | null
  number_2: number | null
  text: string | null
}

/** What `items.<locale>.<api_id>` compares. References give one value per item, with the id as text. */
export const valuesOf = (model: ModelRow | null, items: StoredItems): FilterValue[] => {
  if (!model) return []
  const filterable = new Set(model.fields.flatMap(({ api_id, filterable }) => (filterable ? [api_id] : [])))
  return shownFields(model, items)
    .filter(([api_id]) => filterable.has(api_id))
    .flatMap(([api_id, value]) =>
      comparable(value).map((found, position) => ({ api_id, position, ...found })),
    )
}

const comparable = (value: StoredValue): Omit<FilterValue, 'api_id' | 'position'>[] => {
  const { kind, numbers, main } = fieldTypes[value.label]
  if (kind) return (value.items as { id: string }[]).map(({ id }) => ({ ...nothing, text: id }))
  if (numbers) {
    const [number = null, number_2 = null] = numbers(value)
    return number === null ? [] : [{ number, number_2, text: null }]
  }
  const text = value.label === 'Text' ? plainBody(value) : main ? value[main] : null
  return typeof text === 'string' && text !== '' ? [{ ...nothing, text }] : []
}
const nothing = { number: null, number_2: null }
