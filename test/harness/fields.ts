import assert from 'node:assert/strict'
import type { FieldLabel, ModelField, ModelRow } from '../../src/features/models/table.ts'
import { loadReferences } from '../../src/features/publications/fields/present.ts'
import { readFields } from '../../src/features/publications/fields/read.ts'
import type { StoredItems } from '../../src/features/publications/table.ts'

export const now = '2026-11-15T14:00:00.000Z'
export const later = '2026-11-16T14:00:00.000Z'
export const path = 'items.en-US'

type Options = { model?: ModelRow; before?: StoredItems; isForm?: boolean; now?: string }
export const read = (sent: unknown, options: Options = {}) =>
  readFields(sent, { path, model: null, before: {}, isForm: false, now, ...options })

/** The one value that `sent` becomes, without stamps. */
export const contentOf = (sent: unknown, options: Options = {}): unknown => {
  const { values, faults } = read({ field: sent }, options)
  assert.deepEqual(faults, [])
  const { id: _id, created_on: _created, changed_on: _changed, ...content } = values.field!
  return content
}
export const faultsOf = (sent: unknown, options: Options = {}): string[] =>
  read({ field: sent }, options).faults.map(({ path, message }) => `${path.slice(12)} ${message}`.trim())
export const pathsOf = (sent: unknown, options: Options = {}): string[] =>
  read({ field: sent }, options)
    .faults.map((fault) => fault.path.slice(18))
    .sort()

export const field = (api_id: string, label: FieldLabel, more: Partial<ModelField> = {}): ModelField => ({
  api_id,
  label,
  title: null,
  description: null,
  required: false,
  localized: true,
  filterable: false,
  validations: {},
  default: null,
  ...more,
})
export const modelOf = (...fields: ModelField[]) => ({ id: 'm', body: 'Article', fields }) as ModelRow
/** References that lead nowhere. */
export const nothing = await loadReferences(undefined as never, { environment_id: 'e' }, [])
