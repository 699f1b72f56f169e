import { type RawBuilder, sql } from 'kysely'
import { Invalid } from '../errors.ts'
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
}

export type FilterField = {
  type: ValueType
  operators: readonly Operator[]
  /** Column of the row or, with `link`, of the link table. Default: the field's name. */
  column?: string
  /** `param` → column of the link's target, the first being the default. */
  params?: Record<string, string>
  link?: Link
  /** The only values there are. */
  values?: readonly string[]
  /** The operator of a value sent without one, as in `q=word`. */
  bare?: Operator
}

/** Filters are data: a new field is one line. */
export type FilterSpec = Record<string, FilterField>

export type CompiledFilter = {
  where: Condition[]
  /** How well a row fits the words that were searched for. */
  rank: RawBuilder<number> | undefined
  /** Whether rows come and go with the clock, without any change to them. */
  moving: boolean
}

type Compile = {
  spec: FilterSpec
  problems: Problem[]
  ranks: RawBuilder<number>[]
  moving: boolean
  budget: number
}

const maxConditions = 200

/** Turns `{name: [{fz: 'web'}], or: [...]}` into parameterized SQL over the alias `row`, or names every fault. */
export const compileFilter = (spec: FilterSpec, input: Record<string, unknown>): CompiledFilter => {
  const state: Compile = { spec, problems: [], ranks: [], moving: false, budget: maxConditions }
  const where = compileObject(state, input, '')
  if (state.problems.length > 0) throw new Invalid(state.problems)
  const rank = state.ranks.length > 0 ? sql<number>`(${sql.join(state.ranks, sql` + `)})` : undefined
  return { where, rank, moving: state.moving }
}

const compileObject = (state: Compile, input: Record<string, unknown>, prefix: string): Condition[] =>
  Object.entries(input).flatMap(([name, value]) => {
    const path = prefix + name
    if (name === 'or') return compileOr(state, value, path)
    const field = Object.hasOwn(state.spec, name) ? state.spec[name] : undefined
    if (!field)
      return fault(state, path, `is not a filter here; known are ${Object.keys(state.spec).join(', ')}`)
    return objectsOf(field, value).flatMap(([key, object]) =>
      compileTests(state, name, field, object, path + key),
    )
  })

const compileOr = (state: Compile, value: unknown, path: string): Condition[] => {
  const alternatives = listOf(value)
  if (!alternatives?.every(isObject) || alternatives.length === 0 || alternatives.length > maxConditions)
    return fault(state, path, 'must be a list of filter objects, such as or[0][name][eq]=…')
  const compiled = alternatives.flatMap((alternative, index) => {
    if (Object.keys(alternative).length === 0) return fault(state, `${path}.${index}`, 'holds no filter')
    const conditions = compileObject(state, alternative, `${path}.${index}.`)
    return conditions.length > 0 ? [sql`(${sql.join(conditions, sql` and `)})`] : []
  })
  return compiled.length > 0 ? [sql`(${sql.join(compiled, sql` or `)})`] : []
}

/** A field holds one object of operators, several of them, or, where the field allows it, a bare value. */
const objectsOf = (field: FilterField, value: unknown): [string, unknown][] => {
  const objects = listOf(value)
  if (objects?.every(isObject)) return objects.map((object, index) => [`.${index}`, object])
  if (isObject(value)) return [['', value]]
  return [['', field.bare ? { [field.bare]: value } : value]]
}

const compileTests = (
  state: Compile,
  name: string,
  field: FilterField,
  object: unknown,
  path: string,
): Condition[] => {
  if (!isObject(object))
    return fault(
      state,
      path,
      `needs an operator: ${field.operators.map((o) => `${name}[${o}]=…`).join(' or ')}`,
    )
  const { param, ...tests } = object
  const column = columnFor(state, field, name, param, path)
  if (!column) return []
  if (Object.keys(tests).length === 0) return fault(state, path, 'needs an operator')
  return Object.entries(tests).flatMap(([operator, value]) =>
    compileTest(state, field, column, operator, value, `${path}.${operator}`),
  )
}

const compileTest = (
  state: Compile,
  field: FilterField,
  column: Column,
  name: string,
  raw: unknown,
  path: string,
): Condition[] => {
  if (!(field.operators as readonly string[]).includes(name))
    return fault(state, path, `is not an operator of this field; it takes ${field.operators.join(', ')}`)
  state.budget -= 1
  if (state.budget < 0) {
    if (state.budget === -1)
      fault(state, path, `is one condition too many; at most ${maxConditions} are taken`)
    return []
  }
  const operator = operators[name as Operator]
  if (operator.moving) state.moving = true
  const before = state.problems.length
  const value = operator.read(readers[operator.type ?? field.type], raw, path, state.problems) as never
  if (state.problems.length > before) return []
  for (const single of [value].flat())
    if (field.values && operator.type === undefined && !field.values.includes(single as string))
      return fault(state, path, `must be one of ${field.values.join(', ')}`)
  if (operator.rank && !column.link) state.ranks.push(operator.rank(column.ref, value))
  return [column.link ? operator.linked(column.exists, column.ref, value) : operator.plain(column.ref, value)]
}

type Column = { ref: RawBuilder<unknown>; link: boolean; exists: (test?: Condition) => Condition }

const columnFor = (
  state: Compile,
  field: FilterField,
  name: string,
  param: unknown,
  path: string,
): Column | undefined => {
  const chosen = param === undefined ? undefined : typeof param === 'string' ? param.toLowerCase() : ''
  if (chosen !== undefined && !Object.hasOwn(field.params ?? {}, chosen)) {
    const known = Object.keys(field.params ?? {})
    fault(
      state,
      `${path}.param`,
      known.length > 0 ? `must be one of ${known.join(', ')}` : 'is not taken here',
    )
    return undefined
  }
  const { link } = field
  if (!link) return { ref: sql.ref(`row.${field.column ?? name}`), link: false, exists: () => sql`true` }
  const far = chosen === undefined ? undefined : field.params?.[chosen]
  const useTarget = link.target !== undefined && far !== undefined && far !== field.column
  return {
    ref: useTarget ? sql.ref(`target.${far}`) : sql.ref(`link.${field.column ?? name}`),
    link: true,
    exists: (test) => existsIn(link, useTarget, test),
  }
}

const existsIn = (link: Link, useTarget: boolean, test?: Condition): Condition => {
  const join = useTarget
    ? sql` join ${sql.table(link.target!.table)} as target on target.environment_id = link.environment_id and ${equal('target', link.target!.on, 'link')}`
    : sql``
  const extra = test ? sql` and ${test}` : sql``
  return sql`exists (select 1 from ${sql.table(link.table)} as link${join}
    where link.environment_id = row.environment_id and ${equal('link', link.on, 'row')}${extra})`
}

const equal = (left: string, columns: Record<string, string>, right: string): Condition =>
  sql.join(
    Object.entries(columns).map(([a, b]) => sql`${sql.ref(`${left}.${a}`)} = ${sql.ref(`${right}.${b}`)}`),
    sql` and `,
  )

const fault = (state: Compile, path: string, message: string): [] => {
  if (state.problems.length < 50) state.problems.push({ path, message })
  return []
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
