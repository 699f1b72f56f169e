import type { Tx } from '../../../database/connect.ts'
import type { Actor } from '../../access/authenticate.ts'
import type { ReferenceKind } from '../fields/names.ts'
import { loadReferences } from '../fields/present.ts'
import { fieldTypes } from '../fields/types.ts'
import type { StoredValue } from '../table.ts'
import type { Applied } from './applied.ts'

type Item = { id: string }
type Left = { value: StoredValue; stored: StoredValue; kind: ReferenceKind; ids: string[] }

/**
 * A read leaves out references to what is gone or hidden from the reader. Sending it back must not take them away:
 * whoever did not see them did not mean them. A field that is removed as a whole goes with them.
 */
export const keepUnseen = async (tx: Tx, actor: Actor, { placed }: Applied): Promise<void> => {
  const left = placed.flatMap(({ values, api_id, stored }) => leftOut(values[api_id], stored))
  if (left.length === 0) return
  const dropped = left.flatMap(({ kind, ids }) => ids.map((id) => ({ kind, id })))
  const seen = await loadReferences(tx, actor, dropped)
  for (const { value, stored, kind, ids } of left) {
    const unseen = new Set(ids.filter((id) => !seen[kind].has(id)))
    if (unseen.size > 0) value.items = withUnseen(value.items as Item[], stored.items as Item[], unseen)
  }
  for (const { values, api_id, stored } of placed)
    if (stored && isSameList(values[api_id], stored)) values[api_id] = stored
}

/** What a value of references no longer names. */
const leftOut = (value: StoredValue | null | undefined, stored: StoredValue | null): Left[] => {
  const kind = value && fieldTypes[value.label].kind
  if (!value || !kind || kind === 'Tag' || stored?.label !== value.label) return []
  const named = new Set((value.items as Item[]).map(({ id }) => id))
  const ids = (stored.items as Item[]).map(({ id }) => id).filter((id) => !named.has(id))
  return ids.length > 0 ? [{ value, stored, kind, ids }] : []
}

/** Each behind what it stood behind before, as far as that is still there. */
const withUnseen = (items: Item[], stored: Item[], unseen: ReadonlySet<string>): Item[] => {
  const result = [...items]
  let place = 0
  for (const item of stored) {
    const at = result.findIndex(({ id }) => id === item.id)
    if (at >= 0) place = at + 1
    else if (unseen.has(item.id)) {
      result.splice(place, 0, item)
      place += 1
    }
  }
  return result
}

const isSameList = (value: StoredValue | null | undefined, stored: StoredValue): boolean => {
  if (!value || value.label !== stored.label || !fieldTypes[value.label].kind) return false
  const idsOf = ({ items }: StoredValue): string => (items as Item[]).map(({ id }) => id).join(' ')
  return idsOf(value) === idsOf(stored)
}
