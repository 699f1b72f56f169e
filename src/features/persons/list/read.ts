import { type Filter, type FilterSpec, readFilter, type Test } from '../../../database/filters.ts'
import type { Problem } from '../../../database/values.ts'
import { personFilters } from './fields.ts'
import { tokensOf } from './search.ts'

/** A filter of persons as it was sent, or a rule of a segment; every fault of it goes to the problems. */
export const readPersonFilter = (
  input: Record<string, unknown>,
  problems: Problem[],
  spec: FilterSpec = personFilters,
): Filter => {
  const filter = readFilter(spec, input, problems)
  for (const { operator, value, path } of testsOf(filter)) {
    if (operator === 'il' && (value as number) < 0)
      problems.push({ path, message: 'must be a number of seconds back from now' })
    if (operator === 'fz' && tokensOf(searched(value)).length === 0)
      problems.push({ path, message: 'must hold at least one word' })
  }
  return filter
}

/** Words are kept as they were sent, because an address is one of them. */
export const searched = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** Every test of a filter, those of its alternatives included. */
export const testsOf = ({ tests, alternatives }: Filter): Test[] => [
  ...tests,
  ...alternatives.flat().flatMap(testsOf),
]

const inFacts = new Set(['created_on', 'last_seen', 'gender', 'age', 'password'])
const byPublication = /^(interactions|viewed|shared|bookmarked|commented|won|called|emailed|purchased)$/

/** Whether a test is answered by `person_facts` alone. */
export const isInFacts = ({ name, operator }: Test): boolean =>
  inFacts.has(name) || (byPublication.test(name) && operator === 'has')

/** Whether the answer changes without any change to the person's own row: by the clock, or by what it does. */
export const isPassing = ({ name, operator }: Test): boolean =>
  operator === 'il' ||
  name === 'last_seen' ||
  name === 'liked' ||
  name === 'segments' ||
  byPublication.test(name)
