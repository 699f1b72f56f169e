import type { ModelRow } from '../../models/table.ts'
import type { StoredItems } from '../table.ts'
import { shownFields } from './collect.ts'
import { isFilled } from './text.ts'

/** The api_ids of required fields that are not filled. */
export const missingFields = (model: ModelRow, items: StoredItems): string[] => {
  const shown = new Map(shownFields(model, items))
  return model.fields.flatMap(({ api_id, required }) => {
    const value = shown.get(api_id)
    return required && !(value && isFilled(value)) ? [api_id] : []
  })
}
