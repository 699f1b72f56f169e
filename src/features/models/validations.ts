import { parseMoment, readers } from '../../database/values.ts'
import type { FieldError } from '../../errors.ts'
import { isObject } from '../../objects.ts'
import { rulesOf, type ValueKind } from './labels.ts'
import { compilePattern, maxPattern } from './pattern.ts'
import type { FieldLabel, Validations } from './table.ts'

type Value = string | number
/** Reads one bound: what is stored, or undefined and a fault. What is of the wrong type is the schema's to refuse. */
type Reader = (sent: unknown, path: string, kind: ValueKind, faults: FieldError[]) => unknown

/** The bounds of one field. Numbers and moments may come as text, which is how forms send them. */
export const readValidations = (
  label: FieldLabel,
  sent: unknown,
  path: string,
  faults: FieldError[],
): Validations => {
  const { validations: possible = [], values = 'text' } = rulesOf(label)
  const given = Object.entries(isObject(sent) ? sent : {}).filter(
    ([name, value]) => value !== null && Object.hasOwn(bounds, name),
  ) as [keyof Validations, unknown][]
  const read: Validations = {}
  for (const [name, value] of given) {
    const at = `${path}.${name}`
    if (possible.includes(name)) Object.assign(read, { [name]: bounds[name](value, at, values, faults) })
    else faults.push({ path: at, message: `is not possible for ${label}` })
  }
  faults.push(...reversed(read, path))
  return read
}

const asSent: Reader = (sent) => sent

const pattern: Reader = (sent, path, _kind, faults) => {
  if (typeof sent !== 'string') return undefined
  if (sent.length <= maxPattern && !compilePattern(sent))
    faults.push({ path, message: 'is not a pattern of RE2, which has no look-around, or is too large' })
  return sent
}

const value: Reader = (sent, path, kind, faults) => {
  if (typeof sent !== 'string' && typeof sent !== 'number') return undefined
  const [read, expected] = kinds[kind](sent)
  if (read === undefined) faults.push({ path, message: `must be ${expected}` })
  return read
}

const values: Reader = (sent, path, kind, faults) =>
  Array.isArray(sent) ? sent.map((item, index) => value(item, `${path}.${index}`, kind, faults)) : undefined

const models: Reader = (sent) => (Array.isArray(sent) ? [...new Set(sent)] : undefined)

const bounds: Record<keyof Validations, Reader> = {
  min_length: asSent,
  max_length: asSent,
  pattern,
  min: value,
  max: value,
  values,
  min_items: asSent,
  max_items: asSent,
  models,
}

const colors = /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i
const resourceTypes: Value[] = ['Webpage', 'Audio', 'Video', 'Document', 'Other']
const only = (possible: boolean, sent: Value): Value | undefined => (possible ? sent : undefined)

/** What is stored, undefined when it cannot be, and what it should have been. */
const kinds: Record<ValueKind, (sent: Value) => [Value | undefined, string]> = {
  text: (sent) => [String(sent), 'a string'],
  color: (sent) => [only(colors.test(String(sent)), sent), 'a hex colour such as #ff8800'],
  resource: (sent) => [only(resourceTypes.includes(sent), sent), `one of ${resourceTypes.join(', ')}`],
  number: (sent) => [numberOf(sent), 'a number'],
  whole: (sent) => [only(Number.isSafeInteger(numberOf(sent)), Number(sent)), 'a whole number'],
  moment: (sent) => [momentOf(sent), 'a date: epoch seconds or ISO 8601'],
}

const numberOf = (sent: Value) => readers.number(sent, '', []) as number | undefined

const momentOf = (sent: Value): string | undefined => {
  const moment = parseMoment(sent)
  const isIso = typeof sent === 'string' && !/^-?\d+$/.test(sent)
  return moment && (isIso ? sent : moment.from.toISOString())
}

const reversed = (read: Validations, path: string): FieldError[] =>
  (
    [
      ['min_length', 'max_length'],
      ['min', 'max'],
      ['min_items', 'max_items'],
    ] as const
  )
    .filter(([least, most]) => position(read[least], 'from') > position(read[most], 'until'))
    .map(([least, most]) => ({ path: `${path}.${least}`, message: `is more than ${most}` }))

/** NaN, which is neither more nor less, for what is not there or not right. */
const position = (bound: unknown, end: 'from' | 'until'): number => {
  if (typeof bound === 'number') return bound
  const moment = typeof bound === 'string' ? parseMoment(bound) : undefined
  return moment ? moment[end].getTime() - (end === 'until' ? 1 : 0) : Number.NaN
}
