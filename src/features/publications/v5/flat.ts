import { isObject } from '../../../objects.ts'
import type { FieldLabel, ModelRow } from '../../models/table.ts'

/** The flat fields of version 5, and what each is in the store. */
const flatLabels = {
  element: 'ElementBox',
  assets: 'Asset',
  tags: 'TagBox',
  business_hours: 'BusinessHours',
  locations: 'Locations',
  addresses: 'Addresses',
  events: 'Events',
  sales: 'Sales',
  custom: 'Strings',
  call_to_action: 'String',
  url: 'Resource',
  value: 'Float',
  reference_id: 'String',
  capacity: 'Integer',
  capacity_per_day: 'Integer',
  compare: 'String',
} as const satisfies Record<string, FieldLabel>

export type FlatName = keyof typeof flatLabels
export const flatNames = Object.keys(flatLabels) as FlatName[]

/** The property that says it all, of values that are one thing. */
const single: Partial<Record<FieldLabel, string>> = {
  Text: 'body',
  String: 'body',
  Resource: 'url',
  Float: 'value',
  Integer: 'value',
  Boolean: 'value',
  Number: 'number',
}

/** A model may have a field of that name as something else: a url as text, say. */
export const labelOfFlat = (name: FlatName, model: ModelRow | null): FieldLabel =>
  model?.fields.find(({ api_id }) => api_id === name)?.label ?? flatLabels[name]

/** What is sent flat, as a value of a field. */
export const asValue = (label: FieldLabel, sent: unknown): unknown => {
  const property = single[label]
  if (property) return { label, [property]: sent }
  if (label === 'Asset' && Array.isArray(sent))
    return { label, items: sent.map((item) => (typeof item === 'string' ? { id: item } : item)) }
  return Array.isArray(sent) ? { label, items: sent } : sent
}

type Shown = { label: FieldLabel; items?: unknown }

/** A value as it is shown, made flat. */
export const flatOf = (value: Shown): unknown => {
  const property = single[value.label]
  if (property) return (value as Record<string, unknown>)[property]
  return isObject(value.items) ? Object.values(value.items) : (value.items ?? value)
}

/** Where in a flat body something is, told by where it is in the value. */
export const flatPath = (inner: string): string =>
  inner.replace(/^\.(body|url|value|number|label|format|items)(?=\.|$)/, '')
