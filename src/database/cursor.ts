import { createHash } from 'node:crypto'
import { invalid } from '../errors.ts'
import type { SortKey } from './sort.ts'
import { isWritable } from './values.ts'

/** Ties a cursor to the list it came from: the same table, sort and filter. */
export const listSignature = (...parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 10)

export type CursorValue = string | number | boolean | Date | null

/** A place in a list: that of a row, which itself is not part of what follows unless `inclusive`. */
export type Position = { values: CursorValue[]; inclusive: boolean }

export const encodeCursor = (signature: string, { values, inclusive }: Position): string =>
  Buffer.from(JSON.stringify([signature, ...values.map(plain), ...(inclusive ? [1] : [])])).toString(
    'base64url',
  )

const plain = (value: CursorValue) => (value instanceof Date ? value.getTime() : value)

/** Reads a cursor back, value by value of the type that its sort key has; anything else is the caller's fault. */
export const decodeCursor = (
  text: string,
  signature: string,
  keys: readonly SortKey[],
  path: 'after' | 'before',
): Position => {
  const [owner, ...parts] = parse(text) ?? []
  const inclusive = parts.length === keys.length + 1 && parts.at(-1) === 1
  if (typeof owner !== 'string' || (parts.length !== keys.length && !inclusive))
    throw invalid(path, 'is not a cursor of this list')
  if (owner !== signature) throw invalid(path, 'belongs to another sort or filter')
  const values = keys.map((key, index) => revive(key, parts[index]))
  if (values.includes(undefined)) throw invalid(path, 'is not a cursor of this list')
  return { values: values as CursorValue[], inclusive }
}

const parse = (text: string): unknown[] | undefined => {
  if (text.length > 4000) return undefined
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parts) ? parts : undefined
  } catch {
    return undefined
  }
}

const revive = (key: SortKey, value: unknown): CursorValue | undefined => {
  if (value === null) return key.nullable ? null : undefined
  if (key.type === 'date')
    return typeof value === 'number' && Number.isInteger(value) && isWritable(value)
      ? new Date(value)
      : undefined
  if (key.type === 'text')
    return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? value : undefined
  return typeof value === 'number' && Math.abs(value) <= 2 ** 31 ? value : undefined
}
