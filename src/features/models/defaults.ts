import type { FieldError } from '../../errors.ts'
import { readFields } from '../publications/fields/read.ts'
import type { StoredValue } from '../publications/table.ts'
import { rulesOf } from './labels.ts'
import type { ModelField, ModelRow } from './table.ts'

/** A model is remembered by every node and told with each of its events. */
const maxLength = 10_000

/** The default of a field that is right in all else: as it was sent, or as JSON would say what a form sent. */
export const readDefault = (field: ModelField, path: string, faults: FieldError[]): unknown => {
  const fault = faultOf(field)
  if (fault) faults.push({ path, message: fault })
  if (fault || field.default === null) return null
  const read = readAs(field, path, false)
  if (read.faults.length === 0) return field.default
  const asForm = readAs(field, path, true)
  if (asForm.faults.length === 0) return asForm.value && withoutStamps(asForm.value)
  faults.push(...read.faults)
  return null
}

const faultOf = ({ label, default: sent }: ModelField): string | undefined => {
  if (sent !== null && rulesOf(label).reference) return `is not possible for ${label}`
  return JSON.stringify(sent).length > maxLength
    ? `is longer than ${maxLength} characters of JSON`
    : undefined
}

/** As the fields of a publication are read. Records that it names may be gone when it is used. */
const readAs = (field: ModelField, path: string, isForm: boolean) => {
  const { api_id } = field
  const model = { fields: [field] } as unknown as ModelRow
  const options = { path, model, before: {}, isForm, now: new Date(0).toISOString() }
  const { values, names, faults } = readFields({ [api_id]: field.default }, options)
  const named = names.map((name) => ({ path: name.path, message: 'cannot stand in a default' }))
  const inside = (at: string) => path + at.slice(`${path}.${api_id}`.length)
  return {
    value: values[api_id],
    faults: [...faults, ...named].map((fault) => ({ ...fault, path: inside(fault.path) })),
  }
}

const withoutStamps = (value: StoredValue): object => {
  const { id, created_on: _created, changed_on: _changed, ...rest } = value
  if (value.label === 'QuizPost' || value.label === 'BroadcasterPost') return { ...rest, id }
  if (value.label === 'ElementBox')
    return { ...rest, items: (value.items as StoredValue[]).map(withoutStamps) }
  return rest
}
