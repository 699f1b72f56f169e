import type { Marquee } from 'marquee-sdk'

type AnyField = NonNullable<Marquee.PublicationModel['fields']>[number]
export type FieldLabel = NonNullable<AnyField['label']>
export type Validations = NonNullable<AnyField['validations']>
export type Validation = keyof Validations
export type Group = 'words' | 'values' | 'time' | 'links' | 'posts'

/** A field as it is edited: `key` tells fields apart while they have no name or the same one. */
export type Field = {
  key: string
  /** The name that it is stored under; none before it is saved. */
  savedAs?: string
  api_id: string
  label: FieldLabel
  title: string | null
  description: string | null
  required: boolean
  localized: boolean
  filterable: boolean
  validations: Validations
  default: unknown
}

type Rules = {
  group: Group
  filterable?: 'on' | 'off'
  validations?: readonly Validation[]
  values?: 'number' | 'moment' | 'text'
  /** Where the one value of a simple default stands. */
  main?: 'body' | 'value'
  /** Holds other records, which a default cannot. */
  reference?: true
}

const text = ['min_length', 'max_length', 'pattern', 'values'] as const
const range = ['min', 'max', 'values'] as const
const count = ['min_items', 'max_items'] as const

/** What the service takes for each kind of field, in the order that they are offered. */
export const fieldRules: Record<FieldLabel, Rules> = {
  Text: { group: 'words', filterable: 'off', validations: text, main: 'body' },
  String: { group: 'words', filterable: 'off', validations: text, main: 'body' },
  Strings: { group: 'words', validations: count },
  Quote: { group: 'words', filterable: 'off', validations: text },
  ElementBox: { group: 'words', validations: count },
  Boolean: { group: 'values', filterable: 'on', main: 'value' },
  Integer: { group: 'values', filterable: 'on', validations: range, values: 'number', main: 'value' },
  Float: { group: 'values', filterable: 'on', validations: range, values: 'number', main: 'value' },
  Number: { group: 'values', filterable: 'on', validations: range, values: 'number' },
  Color: { group: 'values', filterable: 'on', validations: ['values'], main: 'body' },
  Sales: { group: 'values', validations: count },
  DateTime: { group: 'time', filterable: 'on', validations: ['min', 'max'], values: 'moment' },
  DateTimeRange: { group: 'time', filterable: 'on', validations: ['min', 'max'], values: 'moment' },
  BusinessHours: { group: 'time' },
  Events: { group: 'time', validations: count },
  Coordinates: { group: 'time', filterable: 'on' },
  Locations: { group: 'time', validations: count },
  Addresses: { group: 'time', validations: count },
  Asset: { group: 'links', validations: count, reference: true },
  Publication: { group: 'links', validations: [...count, 'models'], reference: true },
  TagBox: { group: 'links', validations: count, reference: true },
  Person: { group: 'links', validations: count, reference: true },
  Resource: { group: 'posts', filterable: 'off', validations: text },
  CardItem: { group: 'posts', filterable: 'off' },
  MicroblogPost: { group: 'posts' },
  PhotoSocialPost: { group: 'posts' },
  VideoSitePost: { group: 'posts' },
  SocialNetworkPost: { group: 'posts' },
  VideoHostPost: { group: 'posts' },
  AudioHostPost: { group: 'posts' },
  MusicPlaylist: { group: 'posts' },
  QuizPost: { group: 'posts' },
  BroadcasterPost: { group: 'posts' },
}

export const labels = Object.keys(fieldRules) as FieldLabel[]
export const groups: Group[] = ['words', 'values', 'time', 'links', 'posts']
export const labelsOf = (group: Group): FieldLabel[] =>
  labels.filter((label) => fieldRules[label].group === group)

/** `Prix d'été` becomes `prix_d_ete`. */
export const nameFrom = (title: string): string =>
  title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
    .slice(0, 64)

/** The name itself, or with the first number that makes it one of its own. */
export const freeName = (wanted: string, taken: Field[]): string => {
  const names = new Set(taken.map(({ api_id }) => api_id))
  if (!names.has(wanted)) return wanted
  let number = 2
  while (names.has(`${wanted}_${number}`)) number += 1
  return `${wanted}_${number}`
}

export const newField = (label: FieldLabel, title: string, others: Field[]): Field => ({
  key: crypto.randomUUID(),
  api_id: freeName(nameFrom(title) || 'field', others),
  label,
  title,
  description: null,
  required: false,
  localized: true,
  filterable: fieldRules[label].filterable === 'on',
  validations: {},
  default: null,
})

/** What the new kind cannot have is taken away. */
export const withLabel = (field: Field, label: FieldLabel): Field => {
  const { validations: possible = [], filterable } = fieldRules[label]
  const kept = Object.entries(field.validations).filter(([name]) => possible.includes(name as Validation))
  const isAlike = fieldRules[field.label].values === fieldRules[label].values
  return {
    ...field,
    label,
    filterable: filterable === undefined ? false : field.filterable || filterable === 'on',
    validations: isAlike ? Object.fromEntries(kept) : {},
    default: null,
  }
}

/** As the service takes it. */
export const sentField = ({ key: _key, savedAs: _savedAs, title, ...field }: Field) => ({
  ...field,
  title: title?.trim() || null,
})

export const titleOfField = ({ title, api_id }: Pick<Field, 'title' | 'api_id'>): string => title || api_id

/** The field that gives publications their title. */
export const titleField = (fields: Field[]): Field | undefined =>
  fields.find(({ api_id }) => api_id === 'title') ??
  fields.find(({ api_id }) => api_id === 'name') ??
  fields.find(({ label }) => label === 'Text')
