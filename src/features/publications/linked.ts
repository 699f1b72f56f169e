import { isFilled } from './fields/text.ts'
import type { Publication, StoredItems } from './table.ts'

/** Records of version 5 have a label of their own and no model. */
export const isOfV5 = ({ label, model_id }: Pick<Publication, 'label' | 'model_id'>): boolean =>
  label !== 'Publication' && model_id === null

/** A locale is linked while a field of it is filled. A record of version 5 is something by its label alone. */
export const canBeLinked = (publication: Publication, items: StoredItems): boolean =>
  isOfV5(publication) || Object.values(items).some(isFilled)
