import type { Test } from '../../../database/filters.ts'
import type { Operator } from '../../../database/operators.ts'
import { bornBy, todayIn } from '../age.ts'
import type { Asking } from './conditions.ts'

/** Born after the first date and up to the second; null: no such edge. */
type Bounds = { after: string | null; upTo: string | null }

const edges: Partial<Record<Operator, (age: number) => [number | null, number | null]>> = {
  eq: (age) => [age + 1, age],
  lt: (age) => [age, null],
  lte: (age) => [age + 1, null],
  gt: (age) => [null, age + 1],
  gte: (age) => [null, age],
}

/** When those were born who have such an age today, where the environment is. */
export const boundsOf = ({ environment, now }: Asking, { operator, value }: Test): Bounds => {
  const today = todayIn(environment.time_zone, now)
  const [after, upTo] = edges[operator]!(value as number)
  return {
    after: after === null ? null : bornBy(after, today),
    upTo: upTo === null ? null : bornBy(upTo, today),
  }
}

/** The same for dates in memory. */
export const bornBetween = (asking: Asking, test: Test): ((born: string) => boolean) => {
  const { after, upTo } = boundsOf(asking, test)
  const isAfter = (born: string, date: string) => date === '-infinity' || (date !== 'infinity' && born > date)
  return (born) => (after === null || isAfter(born, after)) && (upTo === null || !isAfter(born, upTo))
}
