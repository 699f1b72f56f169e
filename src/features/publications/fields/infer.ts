import { listOf } from '../../../database/lists.ts'
import { isObject } from '../../../objects.ts'
import { type FieldLabel, fieldLabels } from '../../models/table.ts'
import { type ReferenceKind, referenceKinds } from './names.ts'
import type { Sent } from './place.ts'
import { fieldTypes } from './types.ts'

const isFieldLabel = (label: unknown): label is FieldLabel => fieldLabels.includes(label as FieldLabel)
const isKind = (label: unknown): label is ReferenceKind => referenceKinds.includes(label as ReferenceKind)

/** What an object without label is, told by its properties; `Reference` where only the ids can tell. */
export const infer = (sent: unknown): FieldLabel | 'Reference' | undefined => {
  const list = listOf(isObject(sent) && Object.hasOwn(sent, 'items') ? sent.items : sent)
  if (list) return inferList(list)
  if (!isObject(sent)) return undefined
  const labels = Object.keys(fieldTypes) as FieldLabel[]
  const found = labels.find((label) => fieldTypes[label].isMeant?.(sent))
  return found ?? (typeof sent.id === 'string' ? 'Reference' : undefined)
}

const inferList = (list: unknown[]): FieldLabel | 'Reference' | undefined => {
  if (list.length === 0 || !list.every(isObject)) return undefined
  if (list.every((item) => Object.hasOwn(item, 'open_day'))) return 'BusinessHours'
  if (!list.every(isReference)) return 'ElementBox'
  return list.some((item) => !Object.hasOwn(item, 'id')) ? 'TagBox' : 'Reference'
}

/** An item that a GET showed has a label too, that of its record. */
const isReference = (item: Sent): boolean => {
  const { id, body, label } = item
  if (isKind(label)) return typeof id === 'string' && !Object.hasOwn(item, 'items')
  if (label !== undefined) return !isFieldLabel(label)
  const shown = Object.hasOwn(item, 'created_on')
  const names = Object.keys(item).filter((name) => !['id', 'body', 'slug'].includes(name))
  return (typeof id === 'string' || typeof body === 'string') && (shown || names.length === 0)
}

export const kindsOfItem = ({ label }: Sent): ReferenceKind[] =>
  isKind(label) ? [label] : [...referenceKinds]
