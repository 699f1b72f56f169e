import type { ModelRow } from '../../models/table.ts'
import type { StoredItems } from '../table.ts'
import { readFields } from './read.ts'

/**
 * What a model gives new publications or locales, of the fields per locale or of those stored once. A default that
 * the model's own fields no longer allow gives nothing.
 */
export const defaultItems = (model: ModelRow, localized: boolean, now: string): StoredItems => {
  const fields = model.fields.filter(
    (field) => field.localized === localized && (field.default ?? null) !== null,
  )
  return Object.fromEntries(
    fields.flatMap((field) => {
      const sent = { [field.api_id]: field.default }
      const { values, faults } = readFields(sent, { path: 'default', model, before: {}, isForm: false, now })
      const value = values[field.api_id]
      return value && faults.length === 0 ? [[field.api_id, value] as const] : []
    }),
  )
}
