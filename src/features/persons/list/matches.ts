import type { Filter, Test } from '../../../database/filters.ts'
import { comparison } from '../../publications/list/compare.ts'
import { bornBetween } from './age-bounds.ts'
import type { Asking } from './conditions.ts'
import type { DescribedPerson, UnchangedPerson } from './describe.ts'
import { providerOf } from './fields.ts'
import { isPassing, testsOf } from './read.ts'

type Matches = (person: DescribedPerson) => boolean

/** The same filter for persons in memory; undefined where what they look like does not tell. */
export const personMatcher = (
  asking: Asking,
  filter: Filter,
): ((person: DescribedPerson | UnchangedPerson) => boolean) | undefined => {
  if (!testsOf(filter).every(isTold)) return undefined
  const matches = matcherOf(asking, filter)
  return (person) => !('unchanged' in person) && matches(person)
}

/** What tags are called is not told by the person. */
const isTold = (test: Test): boolean =>
  test.name !== 'q' && !isPassing(test) && (test.param === undefined || test.param === 'id')

const matcherOf = (asking: Asking, { tests, alternatives }: Filter): Matches => {
  const all = [
    ...tests.map((test) => testMatcher(asking, test)),
    ...alternatives.map((list): Matches => {
      const each = list.map((one) => matcherOf(asking, one))
      return (person) => each.some((matches) => matches(person))
    }),
  ]
  return (person) => all.every((matches) => matches(person))
}

const testMatcher = (asking: Asking, test: Test): Matches => {
  const { name, operator, value } = test
  if (name === 'age') {
    const isBorn = bornBetween(asking, test)
    return ({ date_of_birth }) => date_of_birth !== null && isBorn(date_of_birth)
  }
  if (name === 'password') return ({ has_password }) => has_password === value
  if (name === 'tags' || name === 'terms') return holding(test, (person) => person[name])
  if (/_(accounts|customer)$/.test(name)) {
    const mark = `${providerOf(name)} `
    return holding(test, ({ accounts }) =>
      accounts.flatMap((account) => (account.startsWith(mark) ? [account.slice(mark.length)] : [])),
    )
  }
  const fits = comparison(operator, value)
  return (person) => fits(person[name as 'id'])
}

const holding = ({ operator, value }: Test, listOf: (person: DescribedPerson) => string[]): Matches => {
  if (operator === 'has') return (person) => listOf(person).length > 0 === value
  const wanted = [value].flat() as string[]
  if (operator === 'all') return (person) => wanted.every((one) => listOf(person).includes(one))
  return (person) => wanted.some((one) => listOf(person).includes(one))
}
