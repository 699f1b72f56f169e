import { type RawBuilder, sql } from 'kysely'
import type { Condition, Filter } from '../../database/filters.ts'
import type { Problem } from '../../database/values.ts'
import { isObject } from '../../objects.ts'
import { type Asking, personCondition } from '../persons/list/conditions.ts'
import type { Home } from '../persons/list/homes.ts'
import { readPersonFilter, testsOf } from '../persons/list/read.ts'
import type { Match, Rules } from './table.ts'

/** Rules as they are read: groups of rules, and filters at their ends. */
export type Group = { match: Match; items: [key: string, rule: Group | Filter][] }

export const isGroup = (rule: Group | Filter): rule is Group => 'match' in rule

/** Groups inside one another. */
const maxDepth = 5
const maxItems = 100
/** What they ask for in all: every change of a person is held against it. */
const maxTests = 200
/** Values of all lists together: as many segments as are held against persons at once share a statement. */
const maxValues = 2000
const maxLength = 65_536
const maxKey = 100

type Reading = { problems: Problem[]; items: number; tests: number; values: number }

/** Reads rules as they were sent; whatever is wrong is named by its path. */
export const readRules = (sent: unknown, problems: Problem[], path = 'rules'): Group => {
  const nobody: Group = { match: 'any', items: [] }
  if (!isObject(sent)) {
    problems.push({ path, message: 'must be an object with match and items' })
    return nobody
  }
  if (JSON.stringify(sent).length > maxLength) {
    problems.push({ path, message: `must not be longer than ${maxLength} characters` })
    return nobody
  }
  return readGroup({ problems, items: 0, tests: 0, values: 0 }, sent, path, 1)
}

const readGroup = (state: Reading, sent: Record<string, unknown>, path: string, depth: number): Group => {
  const { match = 'all', items = {}, ...rest } = sent
  const fault = (at: string, message: string) => state.problems.push({ path: `${path}${at}`, message })
  for (const name of Object.keys(rest)) fault(`.${name}`, 'is not a known field; rules have match and items')
  if (match !== 'all' && match !== 'any') fault('.match', 'must be all or any')
  const entries = entriesOf(items)
  if (!entries) fault('.items', 'must be an object of filters or of further rules')
  else if (entries.length === 0 && depth > 1) fault('.items', 'holds no rule')
  if (depth > maxDepth) {
    fault('', `is nested too deeply; at most ${maxDepth} groups stand in one another`)
    return { match: 'all', items: [] }
  }
  return {
    match: match as Match,
    items: (entries ?? []).flatMap(([key, rule]) =>
      readItem(state, key, rule, `${path}.items.${key}`, depth),
    ),
  }
}

/** A list takes its indexes as keys. */
const entriesOf = (items: unknown): [string, unknown][] | undefined =>
  isObject(items) || Array.isArray(items) ? Object.entries(items) : undefined

const readItem = (
  state: Reading,
  key: string,
  rule: unknown,
  path: string,
  depth: number,
): [string, Group | Filter][] => {
  const fault = (message: string): [] => {
    state.problems.push({ path, message })
    return []
  }
  state.items += 1
  if (state.items > maxItems)
    return state.items > maxItems + 1 ? [] : fault(`is one rule too many; at most ${maxItems} are taken`)
  if (key === '' || key.length > maxKey) return fault(`must have a name of 1 to ${maxKey} characters`)
  if (!isObject(rule)) return fault('must be a filter of persons, or rules with match and items')
  if ('items' in rule || 'match' in rule) return [[key, readGroup(state, rule, path, depth + 1)]]
  if (Object.keys(rule).length === 0) return fault('holds no filter')
  return [[key, readLeaf(state, rule, path)]]
}

const readLeaf = (state: Reading, rule: Record<string, unknown>, path: string): Filter => {
  const problems: Problem[] = []
  const filter = readPersonFilter(rule, problems)
  state.problems.push(...problems.map((problem) => ({ ...problem, path: `${path}.${problem.path}` })))
  const tests = testsOf(filter)
  spend(state, 'tests', tests.length, path, `${maxTests} conditions`)
  spend(state, 'values', tests.flatMap(({ value }) => value).length, path, `${maxValues} values`)
  return filter
}

const most = { tests: maxTests, values: maxValues }

const spend = (state: Reading, what: 'tests' | 'values', count: number, path: string, all: string): void => {
  const before = state[what]
  state[what] += count
  if (before <= most[what] && state[what] > most[what])
    state.problems.push({ path, message: `asks for too much; at most ${all} are taken` })
}

/** What was sent, in the one form that is stored. */
export const normalRules = ({ match = 'all', items = {} }: Partial<Rules>): Rules => ({
  match,
  items: Object.fromEntries(
    (entriesOf(items) as [string, Record<string, unknown>][]).map(([key, rule]) => [
      key,
      'items' in rule || 'match' in rule ? normalRules(rule as Rules) : rule,
    ]),
  ),
})

/** `all` of nothing is everybody, `any` of nothing nobody. */
export const ruleCondition = (asking: Asking, rule: Group | Filter, home: Home): Condition => {
  if (!isGroup(rule)) return personCondition(asking, rule, home)
  const isAll = rule.match === 'all'
  if (rule.items.length === 0) return isAll ? sql`true` : sql`false`
  const each = rule.items.map(([, item]) => ruleCondition(asking, item, home))
  return sql`(${sql.join(each, isAll ? sql` and ` : sql` or `)})`
}

/** Every filter that stands in rules. */
export const filtersOf = ({ items }: Group): Filter[] =>
  items.flatMap(([, rule]) => (isGroup(rule) ? filtersOf(rule) : [rule]))

/** By what persons come and go without being changed, as `segments.edges` has it. */
export const edgesOf = (rules: Group): string[] => {
  const edges = filtersOf(rules)
    .flatMap(testsOf)
    .flatMap(({ name, operator, value }) => {
      if (operator === 'il') return [`${name} ${value}`]
      return name === 'age' ? ['birthday'] : []
    })
  return [...new Set(edges)]
}

/** The condition of stored rules; what can no longer be read finds nobody. */
export const storedCondition = (asking: Asking, rules: Rules, home: Home): RawBuilder<unknown> => {
  const problems: Problem[] = []
  const read = readRules(rules, problems)
  return problems.length > 0 ? sql`false` : ruleCondition(asking, read, home)
}
