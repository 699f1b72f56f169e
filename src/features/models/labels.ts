import { type FieldLabel, fieldLabels, type Validations } from './table.ts'

export type ValueKind = 'text' | 'color' | 'resource' | 'number' | 'whole' | 'moment'

type Rules = {
  /** `on` and `off` say what a field is unless told otherwise; others cannot be filtered by. */
  filterable?: 'on' | 'off'
  validations?: readonly (keyof Validations)[]
  /** What `min`, `max` and `values` are. */
  values?: ValueKind
  /** Holds other records, which a default cannot: they may be gone when it is used. */
  reference?: true
}

const text = ['min_length', 'max_length', 'pattern', 'values'] as const
const range = ['min', 'max', 'values'] as const
const count = ['min_items', 'max_items'] as const

const rules: Partial<Record<FieldLabel, Rules>> = {
  Text: { filterable: 'off', validations: text, values: 'text' },
  Quote: { filterable: 'off', validations: text, values: 'text' },
  String: { filterable: 'off', validations: text, values: 'text' },
  Resource: { filterable: 'off', validations: text, values: 'resource' },
  CardItem: { filterable: 'off' },
  Color: { filterable: 'on', validations: ['values'], values: 'color' },
  DateTime: { filterable: 'on', validations: ['min', 'max'], values: 'moment' },
  DateTimeRange: { filterable: 'on', validations: ['min', 'max'], values: 'moment' },
  Boolean: { filterable: 'on' },
  Integer: { filterable: 'on', validations: range, values: 'whole' },
  Float: { filterable: 'on', validations: range, values: 'number' },
  Number: { filterable: 'on', validations: range, values: 'whole' },
  Coordinates: { filterable: 'on' },
  Strings: { validations: count },
  Locations: { validations: count },
  Addresses: { validations: count },
  Events: { validations: count },
  Sales: { validations: count },
  ElementBox: { validations: count },
  Publication: { validations: [...count, 'models'], reference: true },
  Asset: { validations: count, reference: true },
  Person: { validations: count, reference: true },
  TagBox: { validations: count, reference: true },
}

export const rulesOf = (label: FieldLabel): Rules => rules[label] ?? {}

/** Requests may call a TagBox a Tag. */
export const sentLabels = [...fieldLabels, 'Tag'] as const

export const labelOf = (sent: unknown): FieldLabel | undefined =>
  sent === 'Tag' ? 'TagBox' : fieldLabels.find((label) => label === sent)
