import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../../database/filters.ts'

/**
 * Where persons are looked for: `persons as row`, `person_facts as facts`, or `link`, which is any table that names
 * persons by `environment_id` and `person_key`.
 */
export type Home = 'row' | 'facts' | 'link'

type Ref = RawBuilder<unknown>
type Has = { persons?: string; facts?: string }

const keys: Record<Home, string> = { row: 'row.key', facts: 'facts.person_key', link: 'link.person_key' }

export const keyIn = (home: Home): Ref => sql.ref(keys[home])

/** Whether some row of a table that names persons says so of this one. */
export const existsIn = (home: Home, table: string, test: Condition, key = 'person_key'): Condition =>
  sql`exists (select 1 from ${sql.table(table)} as found
    where found.environment_id = ${sql.ref(`${home}.environment_id`)}
      and ${sql.ref(`found.${key}`)} = ${keyIn(home)} and ${test})`

/** A condition on a column of the person or of its facts, in the home itself where that has it. */
export const onColumn = (home: Home, { persons, facts }: Has, test: (ref: Ref) => Condition): Condition => {
  if (home === 'row' && persons) return test(sql.ref(`row.${persons}`))
  if (home === 'facts' && facts) return test(sql.ref(`facts.${facts}`))
  return facts
    ? existsIn(home, 'person_facts', test(sql.ref(`found.${facts}`)))
    : existsIn(home, 'persons', test(sql.ref(`found.${persons}`)), 'key')
}
