import { type RawBuilder, sql } from 'kysely'
import { Invalid } from '../errors.ts'
import { isObject } from '../objects.ts'
import { listOf } from './lists.ts'
import { type Operator, operators } from './operators.ts'
import { type Problem, readers, type ValueType } from './values.ts'

export type Condition = RawBuilder<unknown>

/** A table between the listed row and what is asked for, such as `person_tags`. */
export type Link = {
  table: string
  /** Column of the link → column of the row. `environment_id` is always joined. */
  on: Record<string, string>
  /** The far table, when a param asks for one of its columns. */
  target?: { table: string; on: Record<string, string> }
  /** What else must hold of the link, such as whose it is. */
  only?: Condition
}

export type FilterField = {
  type: ValueType
  operators: readonly Operator[]
  /** Column of the row or, with `link`, of the link table. Default: the field's name. */
  column?: string
  /** For `fz` alone: what holds of a row that has a word, where that is more than a column. */
  word?: (word: string) => Condition
  /** `param` → column of the link's target, the first being the default. */
  params?: Record<string, string>
  /** What a caller calls the choice among `params`; without it, `param`. */
  chosenBy?: string
  link?: Link
  /** The only values there are. */
  values?: readonly string[]
  /** The list does not go without it. */
  required?: true
  /** The operator of a value sent without one, as in `q=word`. */
  bare?: Operator
  /** The parameter without which it means nothing, by an example. */
  needs?: string
  /** What it finds depends on more than the listed records, so that no total of it can be remembered. */
  moving?: true
  /** What a value may be is told by something else; it is kept as it was sent until that is known. */
  later?: true
}

/** Filters are data: a new field is one line. */
export type FilterSpec = Record<string, FilterField>

/** One thing that a filter asks of a field, its value read. */
export type Test = {
  name: string
  field: FilterField
  param: string | undefined
  operator: Operator
  value: unknown
  path: string
}

/** All tests hold, and of each list of alternatives at least one. */
export type Filter = { tests: Test[]; alternatives: Filter[][] }

export type CompiledFilter = {
  where: Condition[]
  /** How well a row fits the words that were searched for. */
  rank: RawBuilder<number> | undefined
  /** Whether rows come and go with the clock, without any change to them. */
  moving: boolean
}

type FindField = (name: string) => FilterField | undefined
type Reading = { spec: FilterSpec; find: FindField; problems: Problem[]; budget: number }

const maxConditions = 200

/** Turns `{name: [{fz: 'web'}], or: [...]}` into parameterized SQL over the alias `row`, or names every fault. */
export const compileFilter = (spec: FilterSpec, input: Record<string, unknown>): CompiledFilter => {
  const problems: Problem[] = []
  const filter = readFilter(spec, input, problems)
  if (problems.length > 0) throw new Invalid(problems)
  const ranks = ranksOf(filter)
  const rank = ranks.length > 0 ? sql<number>`(${sql.join(ranks, sql` + `)})` : undefined
  return { where: conditionsOf(filter), rank, moving: isMoving(filter) }
}

/** What a caller sent, held against the fields that there are. Names that `spec` does not list may be found. */
export const readFilter = (
  spec: FilterSpec,
  input: Record<string, unknown>,
  problems: Problem[],
  find: FindField = () => undefined,
): Filter => readObject({ spec, find, problems, budget: maxConditions }, input, '')

const readObject = (state: Reading, input: Record<string, unknown>, prefix: string): Filter => {
  const filter: Filter = { tests: [], alternatives: [] }
  for (const [name, value] of Object.entries(input)) {
    const path = prefix + name
    if (name === 'or') {
      const alternatives = readOr(state, value, path)
      if (alternatives.length > 0) filter.alternatives.push(alternatives)
      continue
    }
    const field = Object.hasOwn(state.spec, name) ? state.spec[name] : state.find(name)
    if (!field) fault(state, path, `is not a filter here; known are ${Object.keys(state.spec).join(', ')}`)
    else
      for (const [key, object] of objectsOf(field, value))
        filter.tests.push(...readTests(state, name, field, object, path + key))
  }
  return filter
}

const readOr = (state: Reading, value: unknown, path: string): Filter[] => {
  const alternatives = listOf(value)
  if (!alternatives?.every(isObject) || alternatives.length === 0 || alternatives.length > maxConditions)
    return fault(state, path, 'must be a list of filter objects, such as or[0][name][eq]=…')
  return alternatives.flatMap((alternative, index) => {
    if (Object.keys(alternative).length === 0) return fault(state, `${path}.${index}`, 'holds no filter')
    return [readObject(state, alternative, `${path}.${index}.`)]
  })
}

/** A field holds one object of operators, several of them, or, where the field allows it, a bare value. */
const objectsOf = (field: FilterField, value: unknown): [string, unknown][] => {
  const objects = listOf(value)
  if (objects?.every(isObject)) return objects.map((object, index) => [`.${index}`, object])
  if (isObject(value)) return [['', value]]
  return [['', field.bare ? { [field.bare]: value } : value]]
}

const readTests = (
  state: Reading,
  name: string,
  field: FilterField,
  object: unknown,
  path: string,
): Test[] => {
  if (!isObject(object))
    return fault(
      state,
      path,
      `needs an operator: ${field.operators.map((o) => `${name}[${o}]=…`).join(' or ')}`,
    )
  const { [field.chosenBy ?? 'param']: sent, ...tests } = object
  const param = readParam(state, field, sent, path)
  if (param === null) return []
  if (Object.keys(tests).length === 0) return fault(state, path, 'needs an operator')
  return Object.entries(tests).flatMap(([operator, raw]) => {
    const at = `${path}.${operator}`
    const known = takesOperator(state, field, operator, at)
    const problem = state.problems.length
    const value = known && readValue(field, operator as Operator, raw, at, state.problems)
    if (!known || state.problems.length > problem) return []
    return [{ name, field, param, operator: operator as Operator, value, path: at }]
  })
}

/** Undefined: none was sent. Null: it is not one. */
const readParam = (
  state: Reading,
  { params = {}, chosenBy = 'param' }: FilterField,
  sent: unknown,
  path: string,
): string | undefined | null => {
  if (sent === undefined) return undefined
  const chosen = typeof sent === 'string' ? sent.toLowerCase() : ''
  if (Object.hasOwn(params, chosen)) return chosen
  const known = Object.keys(params)
  fault(
    state,
    `${path}.${chosenBy}`,
    known.length > 0 ? `must be one of ${known.join(', ')}` : 'is not taken here',
  )
  return null
}

const takesOperator = (state: Reading, field: FilterField, name: string, path: string): boolean => {
  if (!(field.operators as readonly string[]).includes(name)) {
    fault(state, path, `is not an operator of this field; it takes ${field.operators.join(', ')}`)
    return false
  }
  state.budget -= 1
  if (state.budget === -1) fault(state, path, `is one condition too many; at most ${maxConditions} are taken`)
  return state.budget >= 0
}

/** The value of an operator as the field's type has it; what is wrong with it is added to the problems. */
export const readValue = (
  field: FilterField,
  name: Operator,
  raw: unknown,
  path: string,
  problems: Problem[],
): unknown => {
  if (field.later) return raw
  const operator = operators[name]
  const before = problems.length
  const value = operator.read(readers[operator.type ?? field.type], raw, path, problems)
  if (problems.length > before || !field.values || operator.type !== undefined) return value
  if (![value].flat().every((single) => field.values!.includes(single as string)))
    problems.push({ path, message: `must be one of ${field.values.join(', ')}` })
  return value
}

const conditionsOf = ({ tests, alternatives }: Filter): Condition[] => [
  ...tests.map(conditionOf),
  ...alternatives.map((filters) => {
    const each = filters.map((filter) => sql`(${sql.join(conditionsOf(filter), sql` and `)})`)
    return sql`(${sql.join(each, sql` or `)})`
  }),
]

const conditionOf = (test: Test): Condition => {
  if (test.field.word) return sql`(${sql.join((test.value as string[]).map(test.field.word), sql` and `)})`
  const { ref, exists } = columnFor(test)
  const operator = operators[test.operator]
  return exists ? operator.linked(exists, ref, test.value as never) : operator.plain(ref, test.value as never)
}

const ranksOf = ({ tests, alternatives }: Filter): RawBuilder<number>[] => [
  ...tests.flatMap((test) => {
    const rank = test.field.link || test.field.word ? undefined : operators[test.operator].rank
    return rank ? [rank(columnFor(test).ref, test.value as never)] : []
  }),
  ...alternatives.flat().flatMap(ranksOf),
]

const isMoving = ({ tests, alternatives }: Filter): boolean =>
  tests.some(({ field, operator }) => field.moving || operators[operator].moving) ||
  alternatives.flat().some(isMoving)

type Column = { ref: RawBuilder<unknown>; exists?: (test?: Condition) => Condition }

const columnFor = ({ name, field, param }: Test): Column => {
  const { link } = field
  if (!link) return { ref: sql.ref(`row.${field.column ?? name}`) }
  const far = farColumn(field, param)
  const useTarget = link.target !== undefined && far !== undefined && far !== field.column
  return {
    ref: useTarget ? sql.ref(`target.${far}`) : sql.ref(`link.${field.column ?? name}`),
    exists: (test) => existsIn(link, useTarget, test),
  }
}

/** Without a column of the link itself, the first of `params` is meant where none is named. */
const farColumn = ({ params = {}, column }: FilterField, param: string | undefined): string | undefined =>
  param === undefined && column === undefined ? Object.values(params)[0] : params[param ?? '']

const existsIn = (link: Link, useTarget: boolean, test?: Condition): Condition => {
  const join = useTarget
    ? sql` join ${sql.table(link.target!.table)} as target on target.environment_id = link.environment_id and ${equal('target', link.target!.on, 'link')}`
    : sql``
  const extra = [test, link.only].filter((one) => one !== undefined).map((one) => sql` and ${one}`)
  return sql`exists (select 1 from ${sql.table(link.table)} as link${join}
    where link.environment_id = row.environment_id and ${equal('link', link.on, 'row')}${sql.join(extra, sql``)})`
}

const equal = (left: string, columns: Record<string, string>, right: string): Condition =>
  sql.join(
    Object.entries(columns).map(([a, b]) => sql`${sql.ref(`${left}.${a}`)} = ${sql.ref(`${right}.${b}`)}`),
    sql` and `,
  )

const fault = (state: Reading, path: string, message: string): [] => {
  if (state.problems.length < 50) state.problems.push({ path, message })
  return []
}
