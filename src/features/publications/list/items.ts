import { type RawBuilder, sql } from 'kysely'
import { type Condition, type FilterField, readValue, type Test } from '../../../database/filters.ts'
import { type Circle, isMoment, type Operator } from '../../../database/operators.ts'
import type { Moment, Problem } from '../../../database/values.ts'
import type { FieldLabel, ModelRow } from '../../models/table.ts'
import { earth, metresBetween } from '../cells.ts'
import { type FilterValue, valuesOf } from '../fields/collect.ts'
import type { Snapshot } from '../snapshot.ts'
import type { StoredItems } from '../table.ts'
import type { Atom } from './atoms.ts'
import { comparison } from './compare.ts'
import { bigints } from './conditions.ts'
import { metresTo } from './near.ts'

const ordered = ['eq', 'neq', 'in', 'has', 'lt', 'lte', 'gt', 'gte'] as const
const number: FilterField = { type: 'number', operators: ordered }
const date: FilterField = { type: 'date', operators: ordered }
const text: FilterField = { type: 'text', operators: ['eq', 'neq', 'in', 'has', 'sw'] }

/** How the values of each kind of field are compared; all others are texts. */
const byLabel: Partial<Record<FieldLabel, FilterField>> = {
  Integer: number,
  Float: number,
  Number: number,
  DateTime: date,
  DateTimeRange: date,
  Boolean: { type: 'boolean', operators: ['eq', 'neq', 'has'] },
  Coordinates: { type: 'text', operators: ['near', 'has'] },
}

type Asked = { operator: Operator; value: unknown; locale: string; api_id: string }

/** Reads `items.<locale>.<api_id>` now that its model is known; undefined where something is wrong with it. */
export const readItemTest = (
  test: Test,
  model: ModelRow,
  locales: readonly string[],
  problems: Problem[],
): Asked | undefined => {
  const [, locale = '', api_id = '', ...rest] = test.name.split('.')
  const field = model.fields.find((one) => one.api_id === api_id)
  const fault = (message: string): undefined => {
    problems.push({ path: test.path, message })
  }
  if (rest.length > 0 || api_id === '') return fault('must be written as items.<locale>.<api_id>')
  if (!locales.includes(locale)) return fault(`"${locale}" is not a locale of this environment`)
  if (!field) return fault(`the model "${model.body}" has no field "${api_id}"`)
  if (!field.filterable) return fault(`the field "${api_id}" of "${model.body}" is not filterable`)
  const kind = byLabel[field.label] ?? text
  if (!kind.operators.includes(test.operator))
    return fault(`is not an operator of this field; it takes ${kind.operators.join(', ')}`)
  const before = problems.length
  const value = readValue(kind, test.operator, test.value, test.path, problems)
  return problems.length > before ? undefined : { operator: test.operator, value, locale, api_id }
}

/** With `published`, a facet, only values of published locales count. */
export const itemAtom = (asked: Asked, model: ModelRow, published: string | undefined): Atom => {
  const { operator, locale, api_id } = asked
  const negative = operator === 'neq' || (operator === 'has' && asked.value === false)
  const value = storedForm(asked.value)
  const test = operator === 'has' ? () => true : valueTest(negative ? 'eq' : operator, value)
  const condition = operator === 'has' ? sql`true` : valueCondition(negative ? 'eq' : operator, value)
  const holds = (snapshot: Snapshot): boolean => {
    const local = snapshot.locales[locale]
    if (!local || snapshot.model_id !== model.id || (published && !local.facets.has(published))) return false
    return knownValues(model, local.items).some((one) => one.api_id === api_id && test(one))
  }
  return {
    of: 'publication',
    test: (snapshot) => holds(snapshot) !== negative,
    byId: (id, environmentId) => {
      const found = sql`exists (select 1 from publication_values as value
        where value.environment_id = ${environmentId} and value.id = ${id} and value.model_id = ${model.id}
          and value.api_id = ${api_id} and value.locale = ${locale}
          and ${condition}${published ? sql` and ${isPublished(locale, published)}` : sql``})`
      return negative ? sql`not ${found}` : found
    },
  }
}

const known = new WeakMap<StoredItems, { model: ModelRow; values: FilterValue[] }>()

/** Many filters look at one publication, one behind the other. */
const knownValues = (model: ModelRow, items: StoredItems): FilterValue[] => {
  const held = known.get(items)
  if (held?.model === model) return held.values
  const values = valuesOf(model, items)
  known.set(items, { model, values })
  return values
}

const isPublished = (locale: string, published: string): Condition =>
  sql`exists (select 1 from publication_locales as shown where shown.environment_id = value.environment_id
    and shown.id = value.id and shown.locale = ${locale} and shown.facets @> ${bigints([published])})`

/** Dates are stored as epoch seconds, booleans as 0 and 1. */
const storedForm = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(storedForm)
  return typeof value === 'boolean' ? Number(value) : value
}

const inSeconds = (value: number | string | null): number | string | null =>
  typeof value === 'number' ? value * 1000 : value

const valueTest = (operator: Operator, wanted: unknown): ((value: FilterValue) => boolean) => {
  if (operator === 'near') return (value) => distance(value, wanted as Circle) <= (wanted as Circle).metres
  const dated = [wanted].flat().some(isMoment)
  const test = comparison(operator, wanted)
  return ({ number: stored, text: written }) => test(dated ? inSeconds(stored) : (stored ?? written))
}

const signs: Partial<Record<Operator, string>> = { eq: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' }

const valueCondition = (operator: Operator, wanted: unknown): Condition => {
  if (operator === 'near') return nearCondition(wanted as Circle)
  if (operator === 'in')
    return sql`(${sql.join(
      (wanted as unknown[]).map((one) => valueCondition('eq', one)),
      sql` or `,
    )})`
  if (isMoment(wanted)) return momentCondition(operator, wanted)
  if (typeof wanted === 'number')
    return sql`value.number ${sql.raw(signs[operator]!)} ${wanted}::double precision`
  // The index holds the beginnings of texts.
  const start = sql`left(value.text, 200)`
  if (operator === 'sw') return sql`(${start} ^@ left(${wanted}, 200) and value.text ^@ ${wanted})`
  return sql`(${start} = left(${wanted}, 200) and value.text = ${wanted})`
}

const momentCondition = (operator: Operator, { from, until }: Moment): Condition => {
  const [first, end] = [seconds(from), seconds(until)]
  if (operator === 'eq') return sql`(value.number >= ${first} and value.number < ${end})`
  if (operator === 'lt') return sql`value.number < ${first}`
  if (operator === 'lte') return sql`value.number < ${end}`
  return operator === 'gt' ? sql`value.number >= ${end}` : sql`value.number >= ${first}`
}

const seconds = (date: Date): RawBuilder<unknown> => sql`${date.getTime() / 1000}::double precision`

const distance = ({ number: latitude, number_2: longitude }: FilterValue, circle: Circle): number =>
  latitude === null || longitude === null
    ? Number.POSITIVE_INFINITY
    : metresBetween({ latitude, longitude }, circle)

/** The index finds the belt of latitudes. */
const nearCondition = ({ latitude, longitude, metres }: Circle): Condition => {
  const belt = (metres / earth) * (180 / Math.PI) + 1e-6
  const at = (degrees: number) => sql`${degrees}::double precision`
  const found = metresTo({ latitude, longitude }, sql.ref('value.number'), sql.ref('value.number_2'))
  return sql`(value.number between ${at(latitude - belt)} and ${at(latitude + belt)} and ${found} <= ${at(metres)})`
}
