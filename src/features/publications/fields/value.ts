import { listOf } from '../../../database/lists.ts'
import { isObject } from '../../../objects.ts'
import { labelOf } from '../../models/labels.ts'
import { type FieldLabel, fieldLabels } from '../../models/table.ts'
import type { StoredValue } from '../table.ts'
import { infer, kindsOfItem } from './infer.ts'
import type { ReferenceKind } from './names.ts'
import { type Content, fault, inside, type Place, type Sent } from './place.ts'
import { readProperties } from './properties.ts'
import { readReferences } from './references.ts'
import { fieldTypes, labelOfKind } from './types.ts'

/** What the store gives a value; sent back it is passed over. */
const stamps = ['label', 'id', 'created_on', 'changed_on']

/** One value: of the wanted type, of the one its label names, or of the one its properties speak for. */
export const readValue = (sent: unknown, place: Place, wanted?: FieldLabel): Content | undefined => {
  const label = isObject(sent) && sent.label !== '' ? (sent.label ?? undefined) : undefined
  if (label === undefined) return wanted ? readAs(wanted, sent, place) : readUntyped(sent, place)
  const known = labelOf(label)
  if (wanted && known !== wanted) return fault(inside(place, 'label'), `must be ${wanted}, as in the model`)
  if (known) return readAs(known, sent, place)
  return fault(inside(place, 'label'), `must be one of ${fieldLabels.join(', ')}`)
}

/** An element that is sent with its id takes the place of the one it was. */
export const readElement = (sent: unknown, place: Place): Content | undefined => {
  if (!isObject(sent)) return fault(place, 'must be an object')
  const elements = (place.before?.items ?? []) as StoredValue[]
  const before = elements.find(({ id }) => id === sent.id)
  const content = readValue(sent, { ...place, before })
  if (content && typeof sent.id === 'string') content.id = sent.id
  return content
}

const readAs = (label: FieldLabel, sent: unknown, place: Place): Content | undefined => {
  const type = fieldTypes[label]
  const at = { ...place, before: place.before?.label === label ? place.before : undefined }
  const items = type.properties.items
  if (items && isBare(sent, label, at.before)) return { label, items: items.read(sent, at) }
  if (!isObject(sent)) return fault(place, 'must be an object')
  const values = readProperties(type.properties, sent, at, stamps)
  type.check?.(values, at)
  return { label, ...values }
}

/** The items alone, in place of an object that holds them; of a reference also one item. */
const isBare = (sent: unknown, label: FieldLabel, before: StoredValue | undefined): boolean => {
  if (!isObject(sent) || listOf(sent)) return listOf(sent) !== undefined
  if (!fieldTypes[label].kind || Object.hasOwn(sent, 'items')) return false
  return typeof sent.body === 'string' || (typeof sent.id === 'string' && sent.id !== before?.id)
}

const readUntyped = (sent: unknown, place: Place): Content | undefined => {
  const kept = place.before && readAsBefore(sent, place, place.before)
  if (kept) return kept
  const label = infer(sent)
  if (label === 'Reference') return readReference(sent, place)
  if (label) return readAs(label, sent, place)
  return fault(place, 'does not tell by its properties what it is; send a label')
}

/** What it was before it is again, where the properties fit. */
const readAsBefore = (sent: unknown, place: Place, before: StoredValue): Content | undefined => {
  const { properties, kind } = fieldTypes[before.label]
  if (isObject(sent) && !listOf(sent)) {
    const names = Object.keys(sent).filter((name) => !stamps.includes(name))
    if (!names.every((name) => Object.hasOwn(properties, name) || kind)) return undefined
    const isOther = typeof sent.id === 'string' && sent.id !== before.id
    if (names.length === 0 && isOther && !kind && !properties.id) return undefined
    if (names.length > 0 && !properties.value && !properties.items) return readAs(before.label, sent, place)
  }
  const trial = { ...place, faults: [], names: [] }
  const content = readAs(before.label, sent, trial)
  if (!content || trial.faults.length > 0) return undefined
  place.names.push(...trial.names)
  return content
}

/** A reference of a kind that is known once its ids have been looked up. */
const readReference = (sent: unknown, place: Place): Content => {
  const content: Content = { label: 'Publication', items: [] }
  let kind: ReferenceKind | undefined
  const settled = (found: ReferenceKind): string | undefined => {
    kind ??= found
    content.label = labelOfKind(kind)
    return found === kind ? undefined : `must be a ${kind} like the items before it`
  }
  const isWhole = isObject(sent) && Object.hasOwn(sent, 'items')
  const at = isWhole ? inside(place, 'items') : place
  if (isWhole) checkNames(sent, place)
  content.items = readReferences(isWhole ? sent.items : sent, at, kindsOfItem, settled)
  return content
}

const checkNames = (sent: Sent, place: Place): void => {
  for (const name of Object.keys(sent))
    if (name !== 'items' && !stamps.includes(name)) fault(inside(place, name), 'is not a known property')
}
