import type { FieldError } from '../../../errors.ts'
import { isObject } from '../../../objects.ts'
import type { ModelRow } from '../../models/table.ts'
import type { StoredItems, StoredValue } from '../table.ts'
import type { Named } from './names.ts'
import { type Content, fault, inside, type Place } from './place.ts'
import type { ReferenceItem } from './references.ts'
import { maxMarks } from './sanitize.ts'
import { stamp } from './stamp.ts'
import { fieldTypes } from './types.ts'
import { checkValidations } from './validations.ts'
import { readElement, readValue } from './value.ts'

type ReadOptions = {
  /** Of the object, such as `items.en-US`. */
  path: string
  model: ModelRow | null
  before: StoredItems
  isForm: boolean
  now: string
}

/**
 * null takes a field away; a value that says what it said before is the same object. One that names tags by body, or
 * something of an unknown kind, is complete when `resolveNames` has been through with `names`: it is then replaced in
 * `values`.
 */
type ReadFields = {
  values: Record<string, StoredValue | null>
  names: Named[]
  faults: FieldError[]
}

const maxFields = 500
/** As many as any validation names. */
const maxFaults = 100
const namePattern = /^[\w-]{1,100}$/
/** What every object has would look like a field that is filled. */
const isName = (name: string): boolean => namePattern.test(name) && !(name in {})

/** Reads api_id → value as it was sent for one locale. Nothing is looked up. */
export const readFields = (sent: unknown, options: ReadOptions): ReadFields => {
  const read: ReadFields = { values: {}, names: [], faults: [] }
  const { path, isForm } = options
  const { names, faults } = read
  const nowhere = { before: undefined, depth: 0, marks: { left: maxMarks }, models: undefined, readElement }
  const place: Place = { path, isForm, faults, names, ...nowhere }
  if (!isObject(sent)) fault(place, 'must be an object')
  else if (Object.keys(sent).length > maxFields) fault(place, `must not hold more than ${maxFields} fields`)
  else
    for (const [api_id, value] of Object.entries(sent))
      readField(read, api_id, value, inside(place, api_id), options)
  faults.splice(maxFaults)
  return read
}

const readField = (
  { values, names, faults }: ReadFields,
  api_id: string,
  sent: unknown,
  place: Place,
  { model, before, isForm, now }: ReadOptions,
): undefined => {
  const field = model?.fields.find((known) => known.api_id === api_id)
  if (model && !field) return fault(place, 'is not a field of the model')
  if (!isName(api_id)) return fault(place, 'is not a name of letters, digits, _ and -')
  if (sent === null || (isForm && sent === '')) {
    values[api_id] = null
    return undefined
  }
  const stored = Object.hasOwn(before, api_id) ? before[api_id] : undefined
  const [faultsBefore, namesBefore] = [faults.length, names.length]
  const content = readValue(
    sent,
    { ...place, before: stored, models: field?.validations.models },
    field?.label,
  )
  if (!content || faults.length > faultsBefore) return undefined
  values[api_id] = stamp(content, stored, stampTime(now))
  // What only repeats what is there was judged when it was written, by the model of that day.
  if (field && values[api_id] !== stored) checkValidations(field, content, place)
  const open = names.slice(namesBefore).filter(({ body, kinds }) => body !== undefined || kinds.length > 1)
  completeAfter(open, () => {
    dropRepeated(content)
    values[api_id] = stamp(content, stored, stampTime(now))
  })
}

/** As it is shown: whole seconds with offset. */
const stampTime = (now: string): string => `${now.slice(0, 19)}+00:00`

const completeAfter = (names: Named[], finish: () => void): void => {
  let open = names.length
  for (const name of names) {
    const { settle } = name
    name.settle = (found) => {
      const message = settle(found)
      open -= 1
      if (open === 0) finish()
      return message
    }
  }
}

/** Two bodies, or a body and an id, can lead to one tag. */
const dropRepeated = (content: Content): void => {
  if (content.label === 'ElementBox') (content.items as Content[]).forEach(dropRepeated)
  else if (fieldTypes[content.label].kind)
    content.items = [
      ...new Map((content.items as ReferenceItem[]).map((item) => ['id' in item && item.id, item])).values(),
    ]
}
