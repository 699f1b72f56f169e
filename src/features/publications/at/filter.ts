import { sql } from 'kysely'
import { type Condition, type FilterSpec, readFilter, type Test } from '../../../database/filters.ts'
import type { Problem } from '../../../database/values.ts'
import { Invalid } from '../../../errors.ts'

const filters = {
  id: { type: 'id', operators: ['eq', 'in'] },
  model: { type: 'id', operators: ['eq', 'in'] },
  channels: { type: 'id', operators: ['eq', 'in', 'all'] },
  containers: { type: 'id', operators: ['eq', 'in', 'all'] },
} satisfies FilterSpec

const columns = {
  id: 'row.publication_id',
  model: 'row.model_id',
  channels: 'row.channel_ids',
  containers: 'row.container_ids',
}

/** What versions can be found by: what they hold besides their content. Anything else is refused, not passed over. */
export const pastConditions = (input: Record<string, unknown>, problems: Problem[]): Condition[] => {
  const known = Object.entries(input).filter(([name]) => Object.hasOwn(filters, name))
  for (const name of Object.keys(input))
    if (!Object.hasOwn(filters, name))
      problems.push({ path: name, message: 'cannot be combined with an at in the past' })
  const { tests } = readFilter(filters, Object.fromEntries(known), problems)
  if (problems.length > 0) throw new Invalid(problems)
  return tests.map(conditionOf)
}

const conditionOf = ({ name, operator, value }: Test): Condition => {
  const ids = [value].flat() as string[]
  const column = sql.ref(columns[name as keyof typeof columns])
  if (name === 'id' || name === 'model') return sql`${column} = any(${ids}::text[])`
  return operator === 'all' ? sql`${column} @> ${ids}::text[]` : sql`${column} && ${ids}::text[]`
}
