import type { Filter, FilterField, Operator } from './filter.ts'
import { takesMany } from './filter.ts'

/**
 * A filter as the interface takes it in a body, such as `{ age: [{ gte: 18 }] }`, and the same as what is clicked
 * together. What says more than a field and a value, such as `{ has: true, type: 'Opened' }`, is the field
 * `interactions.Opened`.
 */
export type FilterBody = Record<string, unknown>

const extras: Record<string, string> = { interactions: 'type', tags: 'param' }

/** Undefined where it cannot be shown in clicks without changing what it says. */
export const conditionsOf = (body: FilterBody, fields: FilterField[]): Filter[] | undefined => {
  const found = Object.entries(body).flatMap(([name, tests]) =>
    [tests].flat().flatMap((test) => testsOf(name, test, fields)),
  )
  return found.includes(undefined) ? undefined : (found as Filter[])
}

const testsOf = (name: string, test: unknown, fields: FilterField[]): (Filter | undefined)[] => {
  if (typeof test !== 'object' || test === null || Array.isArray(test)) return [undefined]
  const { [extras[name] ?? '']: extra, ...asked } = test as Record<string, unknown>
  const field = fields.find((one) => one.name === (extra === undefined ? name : `${name}.${extra}`))
  if (!field) return [undefined]
  return Object.entries(asked).map(([operator, value]) => {
    const text = textOf(value)
    const known = field.operators.includes(operator as Operator) && text !== undefined
    return known ? { field, operator: operator as Operator, value: text } : undefined
  })
}

const textOf = (value: unknown): string | undefined => {
  if (!Array.isArray(value)) return typeof value === 'object' ? undefined : String(value)
  const texts = value.map(String)
  return texts.some((text) => text.includes(',')) ? undefined : texts.join()
}

export const bodyOf = (conditions: Filter[]): FilterBody => {
  const body: Record<string, object[]> = {}
  for (const { field, operator, value } of conditions) {
    const [name = '', extra] = field.name.startsWith('items.') ? [field.name] : field.name.split('.')
    body[name] ??= []
    body[name].push({
      [operator]: typedValue(field, operator, value),
      ...(extra && { [extras[name]!]: extra }),
    })
  }
  return body
}

const typedValue = (field: FilterField, operator: Operator, value: string): unknown => {
  if (takesMany(operator)) return value.split(',').filter(Boolean)
  if (operator === 'has' || field.type === 'boolean') return value === 'true'
  return operator === 'il' || (field.type === 'number' && value !== '') ? Number(value) : value
}

/** The same in the query of a list: `interactions[0][has]=true&interactions[0][type]=Opened`. */
export const conditionQuery = (conditions: Filter[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(bodyOf(conditions)).flatMap(([name, tests]) =>
      (tests as object[]).flatMap((test, index) =>
        Object.entries(test).map(([key, value]) => [`${name}[${index}][${key}]`, String(value)]),
      ),
    ),
  )
