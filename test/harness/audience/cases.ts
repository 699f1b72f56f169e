import { personFilters } from '../../../src/features/persons/list/fields.ts'
import { accountFields, publications, type Tag } from './made-up.ts'
import type { Asked, Value } from './oracle.ts'

/** As it stands in an address. */
export const query = (asked: Asked, place = ''): string => {
  const at = (key: string) => (place ? `${place}[${asked.name}][0][${key}]` : `${asked.name}[0][${key}]`)
  const entries = [[asked.operator, [asked.value].flat().join(',')], ...Object.entries(asked.more ?? {})]
  return entries.map(([key, value]) => `${at(key!)}=${encodeURIComponent(String(value))}`).join('&')
}

const dateValues: Value[] = [
  '2025-06-01',
  Date.UTC(2025, 5, 1) / 1000,
  '2025-06-01T23:59:59Z',
  '2025-06-02T01:00:00+01:00',
  '2024-02-29',
]
const valuesFor = (tags: Tag[], name: string, operator: string): Value[] => {
  if (operator === 'has') return [true, false]
  if (operator === 'il') return [3600, 60, 60 * 365 * 86_400, 0]
  const field = (personFilters as Record<string, { type: string }>)[name]!
  if (field.type === 'date') return dateValues
  const singles: Value[] =
    name === 'gender'
      ? ['male', 'female', 'other']
      : name === 'age'
        ? [-1, 0, 21, 22, 29, 30, 31, 75, 2000]
        : name === 'tags'
          ? [...tags.map(({ id }) => id), 'nothing']
          : name === 'terms'
            ? ['terms-1', 'terms-2', 'terms']
            : accountFields.includes(name)
              ? ['7', '8', '78']
              : name === 'id'
                ? ['p1', 'p999', 'P1']
                : name === 'reference_id'
                  ? [0, 1, 2, 3, 4, 5].map((n) => `ref-p${n}`)
                  : [...publications, 'new']
  if (operator !== 'in' && operator !== 'all') return singles
  return [singles.slice(0, 2) as string[], singles.slice(1) as string[], [singles[0] as string]]
}

/** Every operator of every filter, with values that tell some from others. */
export const casesFor = (tags: Tag[]): Asked[] =>
  Object.entries(personFilters).flatMap(([name, { operators }]) =>
    operators.flatMap((operator) => {
      const plain = valuesFor(tags, name, operator).map((value): Asked => ({ name, operator, value }))
      if (name === 'interactions')
        plain.push(
          ...['View', 'Viewed', 'won', 'PURCHASED', 'Subscribed', 'Like'].flatMap((type) =>
            valuesFor(tags, name, operator).map((value) => ({ name, operator, value, more: { type } })),
          ),
        )
      if (name === 'tags' && operator !== 'has')
        plain.push(
          ...(['Slug', 'body'] as const).flatMap((param) => {
            const names = tags.map((tag) => (param === 'body' ? tag.body.toUpperCase() : tag.slug))
            const values: Value[] =
              operator === 'eq' ? [...names, 'none'] : [names.slice(0, 2), names.slice(1)]
            return values.map((value) => ({ name, operator, value, more: { param } }))
          }),
        )
      return plain
    }),
  )
