import type { FieldError } from '../../../errors.ts'
import { itemsOf } from '../compare.ts'
import { isFilled } from '../fields/text.ts'
import { isOfV5 } from '../linked.ts'
import type { Publication } from '../table.ts'

/** What a record must have by its label. */
const required: Record<string, string> = {
  Post: 'element',
  Album: 'name',
  Banner: 'name',
  ShowDetail: 'name',
  AudioChunk: 'assets',
  VideoChunk: 'assets',
}

/** What is missing. A model says itself what it requires. */
export const missingByLabel = (publication: Publication, locale: string): FieldError[] => {
  const state = publication.locales[locale]
  const { label } = publication
  if (!isOfV5(publication)) {
    if (publication.version > 0 || state?.linked) return []
    return [{ path: 'name', message: 'or another field must be filled' }]
  }
  const name = Object.hasOwn(required, label) ? required[label]! : undefined
  if (name === undefined) return []
  const value = state && itemsOf(publication, state)[name]
  const isThere = name === 'name' ? (state?.title ?? null) !== null : value !== undefined && isFilled(value)
  return isThere ? [] : [{ path: name, message: `is required where the label is ${label}` }]
}
