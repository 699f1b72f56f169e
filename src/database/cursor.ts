import { createHash } from 'node:crypto'
import { invalid } from '../errors.ts'
import type { SortKey } from './sort.ts'

/** Ties a cursor to the list it came from: the same table, sort and filter. */
export const listSignature = (...parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 10)

export type CursorValue = string | number | boolean | Date | null

export const encodeCursor = (signature: string, values: CursorValue[]): string =>
  Buffer.from(JSON.stringify([signature, ...values.map(plain)])).toString('base64url')

const plain = (value: CursorValue) => (value instanceof Date ? value.getTime() : value)

/** Reads a cursor back, value by value of the type that its sort key has; anything else is the caller's fault. */
export const decodeCursor = (
  text: string,
  signature: string,
  keys: readonly SortKey[],
  path: 'after' | 'before',
): CursorValue[] => {
  const parts = parse(text)
  if (!parts || parts.length !== keys.length + 1) throw invalid(path, 'is not a cursor of this list')
  if (parts[0] !== signature) throw invalid(path, 'belongs to another sort or filter')
  return keys.map((key, index) => {
    const value = revive(key, parts[index + 1])
    if (value === undefined) throw invalid(path, 'is not a cursor of this list')
    return value
  })
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
    return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 253_402_300_800_000
      ? new Date(value)
      : undefined
  if (key.type === 'text')
    return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? value : undefined
  return typeof value === 'number' && Math.abs(value) <= 2 ** 31 ? value : undefined
}
