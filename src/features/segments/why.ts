import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { Filter } from '../../database/filters.ts'
import { NotFound } from '../../errors.ts'
import { type Asking, personCondition } from '../persons/list/conditions.ts'
import { type Group, isGroup, readRules } from './rules.ts'
import type { SegmentRow } from './table.ts'

/** A rule, and whether it matched; of a filter also what of it did. */
type Answered =
  | { match: string; matched: boolean; items: Record<string, Answered> }
  | { matched: boolean; filters: Record<string, boolean> }

/** Why a person is in a segment, or is not: each rule with whether it matches now. */
export const whyIn = async (db: Db, asking: Asking, segment: SegmentRow, personId: string) => {
  const group = readRules(segment.rules, [])
  const questions: RawBuilder<unknown>[] = []
  const answer = ask(asking, group, questions)
  const { rows } = await sql<{ since: Date | null; answers: boolean[] }>`
    select (select since from segment_members member where member.environment_id = row.environment_id
        and member.segment_id = ${segment.id} and member.person_key = row.key) as since,
      array[${sql.join(questions)}]::boolean[] as answers
    from persons row join person_facts facts
      on facts.environment_id = row.environment_id and facts.person_key = row.key
    where row.environment_id = ${asking.environment.id} and row.id = ${personId}`.execute(db)
  if (!rows[0]) throw new NotFound('Person', personId)
  const { since, answers } = rows[0]
  const rules = answer(answers)
  return {
    label: 'SegmentPerson',
    segment: { id: segment.id, label: 'Segment', body: segment.body },
    person: { id: personId, label: 'Person' },
    member: since !== null,
    since,
    matched: namesOf(rules),
    rules,
  }
}

type Answer = (answers: boolean[]) => Answered

/** Adds what the database is asked, and gives how its answers are read. */
const ask = (asking: Asking, rule: Group | Filter, questions: RawBuilder<unknown>[]): Answer => {
  if (!isGroup(rule)) return askFilter(asking, rule, questions)
  const items = rule.items.map(([key, item]) => [key, ask(asking, item, questions)] as const)
  return (answers) => {
    const read = items.map(([key, answer]) => [key, answer(answers)] as const)
    const isAll = rule.match === 'all'
    const matched = isAll ? read.every(([, item]) => item.matched) : read.some(([, item]) => item.matched)
    return { match: rule.match, matched, items: Object.fromEntries(read) }
  }
}

/** Field by field: of a filter with several it is good to know which one keeps somebody out. */
const askFilter = (
  asking: Asking,
  { tests, alternatives }: Filter,
  questions: RawBuilder<unknown>[],
): Answer => {
  const fields: [string, Filter][] = [...Map.groupBy(tests, ({ name }) => name)].map(([name, some]) => [
    name,
    { tests: some, alternatives: [] },
  ])
  if (alternatives.length > 0) fields.push(['or', { tests: [], alternatives }])
  const places = fields.map(([name, filter]) => {
    questions.push(sql`coalesce(${personCondition(asking, filter, 'facts')}, false)`)
    return [name, questions.length - 1] as const
  })
  return (answers) => {
    const filters = Object.fromEntries(places.map(([name, place]) => [name, answers[place]!]))
    return { matched: Object.values(filters).every(Boolean), filters }
  }
}

/** The names of the rules that matched, those of groups before those inside them. */
const namesOf = (rule: Answered, path = ''): string[] => {
  if (!('items' in rule)) return []
  return Object.entries(rule.items).flatMap(([key, item]) => [
    ...(item.matched ? [path + key] : []),
    ...namesOf(item, `${path}${key}.`),
  ])
}
