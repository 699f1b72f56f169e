import type { FilterField, FilterSpec } from '../../../database/filters.ts'
import { operatorNames } from '../../../database/operators.ts'
import type { SortSpec } from '../../../database/sort.ts'
import { isObject } from '../../../objects.ts'

const date = { type: 'date', operators: ['eq', 'lt', 'gt'] } satisfies FilterField
const id = { type: 'id', operators: ['eq', 'in'] } satisfies FilterField
const words = { type: 'text', operators: ['fz'], bare: 'fz' } satisfies FilterField
/** What a channel, tag or container may be named by: the param and its column. */
const named = (body: string) => ({ id: 'id', slug: 'slug', body })

/** What publications can be found by, besides `items.<locale>.<api_id>`. */
export const publicationFilters = {
  id,
  model: id,
  status: { type: 'text', operators: ['eq', 'in'] },
  locales: { type: 'text', operators: ['eq', 'in'] },
  created_by: id,
  assigned_to: id,
  channels: { type: 'text', operators: ['eq', 'in'], params: named('name') },
  tags: { type: 'text', operators: ['eq', 'all', 'in', 'has'], params: named('body') },
  containers: { type: 'text', operators: ['eq', 'in'], params: named('body') },
  slug: { type: 'text', operators: ['eq', 'sw'], needs: 'locale=en-US' },
  q: words,
  title: words,
  created_on: date,
  changed_on: date,
  publish_on: date,
  expire_on: date,
  published: { type: 'boolean', operators: ['eq'] },
} satisfies FilterSpec

export type FieldName = keyof typeof publicationFilters

export const publicationSorts = {
  created_on: { type: 'date' },
  changed_on: { type: 'date', nullable: true },
  publish_on: { type: 'date', nullable: true },
  published_on: { type: 'date', nullable: true, column: 'publish_on' },
} satisfies SortSpec

/** Which operators a field of a model takes, and what its values are, is told by the model. */
const itemField: FilterField = { type: 'text', operators: operatorNames, later: true }

export const findItemField = (name: string): FilterField | undefined =>
  name.startsWith('items.') ? itemField : undefined

type Input = Record<string, unknown>

/** Other ways to write the same: `items[en-US][price][gt]=5` for `items.en-US.price[gt]=5`, `model[id]=…` for eq. */
export const settleNames = (input: Input): Input =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]): [string, unknown][] => {
      if (name === 'or') return [[name, mapped(value, settleNames)]]
      if (name === 'model') return [[name, mapped(value, withoutId)]]
      return name === 'items' && isObject(value) ? flattened(value) : [[name, value]]
    }),
  )

const mapped = (value: unknown, change: (input: Input) => Input): unknown => {
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? change(item) : item))
  if (!isObject(value)) return value
  const isList = Object.keys(value).every((key) => /^\d+$/.test(key))
  return isList
    ? Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, isObject(item) ? change(item) : item]),
      )
    : change(value)
}

const withoutId = ({ id: sent, ...rest }: Input): Input => (sent === undefined ? rest : { eq: sent, ...rest })

const flattened = (items: Input): [string, unknown][] =>
  Object.entries(items).flatMap(([locale, fields]): [string, unknown][] =>
    isObject(fields)
      ? Object.entries(fields).map(([api_id, value]) => [`items.${locale}.${api_id}`, value])
      : [[`items.${locale}`, fields]],
  )
