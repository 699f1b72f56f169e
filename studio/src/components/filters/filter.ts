/** A filter as it stands in the address and in the query of a list: `status[in]` → `Done,Review`. */
export type Operator =
  | 'eq'
  | 'neq'
  | 'in'
  | 'all'
  | 'has'
  | 'sw'
  | 'fz'
  | 'lt'
  | 'lte'
  | 'gt'
  | 'gte'
  | 'il'
  | 'near'

export type Choice = { value: string; label: string }

/** What can be filtered by, as data: the fields of a list's filter language that its area offers. */
export type FilterField = {
  name: string
  title: string
  /** `choice` picks among `choices` or what `find` gives; the others are typed. */
  type: 'choice' | 'text' | 'date' | 'number' | 'boolean'
  operators: Operator[]
  /** Where the usual words for an operator do not read well after the title. */
  words?: Partial<Record<Operator, string>>
  choices?: Choice[]
  /** Choices by what is typed, for many. */
  find?: (typed: string) => Promise<Choice[]>
  /** Choices by their values, where there may be more than `find` gives at first. */
  named?: (values: string[]) => Promise<Choice[]>
  /** Words for values that `choices` does not hold. */
  labelOf?: (value: string) => string | undefined
}

export type Filter = { field: FilterField; operator: Operator; value: string }

const spelled = /^(.+)\[(\w+)\]$/

export const nameOf = ({ field, operator }: Pick<Filter, 'field' | 'operator'>): string =>
  `${field.name}[${operator}]`

/** The filters among the names of an address, in their order there. */
export const filtersIn = (address: Record<string, string>, fields: FilterField[]): Filter[] =>
  Object.entries(address).flatMap(([name, value]) => {
    const [, wanted, operator] = spelled.exec(name) ?? []
    const field = fields.find((one) => one.name === wanted)
    return field?.operators.includes(operator as Operator)
      ? [{ field, operator: operator as Operator, value }]
      : []
  })

/** The same as a list takes it. */
export const filterQuery = (filters: Filter[]): Record<string, string> =>
  Object.fromEntries(filters.map((filter) => [nameOf(filter), filter.value]))

export const takesMany = (operator: Operator): boolean => operator === 'in' || operator === 'all'
