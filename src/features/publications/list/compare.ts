import { isMoment, type Operator } from '../../../database/operators.ts'
import type { Moment } from '../../../database/values.ts'

type Comparable = string | number

/** What an operator asks of a value in memory, as its SQL does; dates are epoch milliseconds. */
export const comparison = (operator: Operator, wanted: unknown): ((value: Comparable | null) => boolean) => {
  if (operator === 'neq') return (value) => value === null || !equals(value, wanted)
  if (operator === 'has') return (value) => (value !== null) === wanted
  const test = tests[operator]!
  return (value) => value !== null && test(value as never, wanted)
}

const equals = (value: Comparable, wanted: unknown): boolean =>
  isMoment(wanted) ? Number(value) >= from(wanted) && Number(value) < until(wanted) : value === wanted

const from = (moment: Moment): number => moment.from.getTime()
const until = (moment: Moment): number => moment.until.getTime()

/** Only numbers are asked which is greater, so that JavaScript need not know how a database orders texts. */
const tests: Partial<Record<Operator, (value: never, wanted: unknown) => boolean>> = {
  eq: equals,
  in: (value: Comparable, wanted) => (wanted as unknown[]).some((one) => equals(value, one)),
  sw: (value: string, wanted) => value.startsWith(wanted as string),
  lt: (value: number, wanted) => value < (isMoment(wanted) ? from(wanted) : (wanted as number)),
  lte: (value: number, wanted) => (isMoment(wanted) ? value < until(wanted) : value <= (wanted as number)),
  gt: (value: number, wanted) => (isMoment(wanted) ? value >= until(wanted) : value > (wanted as number)),
  gte: (value: number, wanted) => value >= (isMoment(wanted) ? from(wanted) : (wanted as number)),
}
