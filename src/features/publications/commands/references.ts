import { listOf } from '../../../database/lists.ts'
import { isObject } from '../../../objects.ts'
import type { Sent } from './applied.ts'

/** `[{id}, …]` as it was sent; what is no such list was refused by the schema. */
export const readReferences = (value: unknown, path: string): Sent[] =>
  (listOf(value) ?? []).flatMap((item, index) =>
    isObject(item) && typeof item.id === 'string' ? [{ path: `${path}.${index}.id`, id: item.id }] : [],
  )
