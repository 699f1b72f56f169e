import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../context.ts'
import { executeApart } from '../../database/driver.ts'
import { plannedAnew } from '../../database/statements.ts'
import { inTurns } from '../../database/turns.ts'
import type { Problem } from '../../database/values.ts'
import { Invalid } from '../../errors.ts'
import type { Asking } from '../persons/list/conditions.ts'
import { countPersons } from '../persons/list/count.ts'
import { isInFacts, testsOf } from '../persons/list/read.ts'
import { filtersOf, readRules, ruleCondition } from './rules.ts'

export type Preview = { total: number; exact: boolean; margin: number }

/** What an answer waits for before it is given as an estimate. */
const patience = 150
const samples = 2000
/** Rules are tried out by every key that is pressed; those who count must leave connections to others. */
const counting = inTurns(2)
/** What is soon known does not stand in line behind what takes seconds. */
const countingFacts = inTurns(2)
const trying = inTurns(3)
const estimating = inTurns(3)

/** How many persons rules would find: exactly where that is soon known or was asked for, otherwise about. */
export const previewRules = async (
  context: Context,
  asking: Asking,
  sent: unknown,
  isExact: boolean,
): Promise<Preview> => {
  const problems: Problem[] = []
  const group = readRules(sent, problems)
  if (problems.length > 0) throw new Invalid(problems)
  const condition = ruleCondition({ ...asking, wholly: true }, group, 'facts')
  const counted = (total: number): Preview => ({ total, exact: true, margin: 0 })
  if (filtersOf(group).flatMap(testsOf).every(isInFacts))
    return counted(await countingFacts(() => count(context, asking, condition)))
  if (isExact) return counted(await counting(() => count(context, asking, condition)))
  const [total, sample, persons] = await Promise.all([
    countSoon(context, asking, condition),
    sampleOf(context, asking, ruleCondition(asking, group, 'facts')),
    countPersons(context, { asking, filter: { tests: [], alternatives: [] }, input: {}, sought: [] }),
  ])
  return total === undefined ? spread(sample, persons) : counted(total)
}

const from = ({ environment }: Asking, condition: RawBuilder<unknown>) =>
  sql`person_facts facts where facts.environment_id = ${environment.id} and ${condition}`

const isCancelled = (error: unknown): boolean => (error as { code?: string }).code === '57014'

/** With memory and processes of its own, apart from what many wait for. */
const count = (
  { db }: Context,
  asking: Asking,
  condition: RawBuilder<unknown>,
  atMost = 15_000,
): Promise<number> =>
  executeApart(
    db,
    sql<{ total: number }>`${sql.raw(plannedAnew)}
      select count(*)::integer as total from ${from(asking, condition)}`.compile(db),
    { statement_timeout: `${atMost}ms`, work_mem: '64MB' },
  ).then(({ rows }) => rows[0]!.total)

/** Undefined where it takes longer than an answer waits for. */
const countSoon = (
  context: Context,
  asking: Asking,
  condition: RawBuilder<unknown>,
): Promise<number | undefined> =>
  trying(() => count(context, asking, condition, patience)).catch((error) => {
    if (isCancelled(error)) return undefined
    throw error
  })

type Sample = { found: number; looked: number }

/** Persons at random places in the order of their keys: an index finds them, however many there are. */
const sampleOf = ({ db }: Context, asking: Asking, condition: RawBuilder<unknown>): Promise<Sample> =>
  estimating(async () => {
    const { id } = asking.environment
    const { rows } = await sql<Sample>`${sql.raw(plannedAnew)}
      with edges as (
        select min(person_key) as first, max(person_key) as last from person_facts where environment_id = ${id}
      ), places as materialized (
        select first + floor(random() * (last - first + 1))::bigint as place from edges, generate_series(1, ${samples}::integer)
      ), chosen as materialized (
        select distinct next.person_key from places, lateral (
          select person_key from person_facts where environment_id = ${id} and person_key >= places.place
          order by person_key limit 1) as next
      )
      select count(*)::integer as looked, (count(*) filter (where ${condition}))::integer as found
      from person_facts facts join chosen using (person_key) where facts.environment_id = ${id}`.execute(db)
    return rows[0]!
  })

/** With the margin within which it lies 19 times of 20; of what no sample has, there may still be a few. */
const spread = ({ found, looked }: Sample, persons: number): Preview => {
  if (looked === 0) return { total: 0, exact: false, margin: 0 }
  const share = found / looked
  const error = Math.max(1.96 * Math.sqrt((share * (1 - share)) / looked), 3 / looked)
  return { total: Math.round(share * persons), exact: false, margin: Math.ceil(error * persons) }
}
