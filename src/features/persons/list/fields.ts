import type { FilterField, FilterSpec } from '../../../database/filters.ts'
import type { SortSpec } from '../../../database/sort.ts'
import { type InteractionLabel, interactionNames, labelNamed } from '../../interactions/labels.ts'
import { genders } from '../table.ts'

const date = { type: 'date', operators: ['eq', 'lt', 'lte', 'gt', 'gte'] } satisfies FilterField
const recent = { type: 'date', operators: [...date.operators, 'il'] } satisfies FilterField
/** By publication. */
const interacted = { type: 'id', operators: ['eq', 'in', 'has'] } satisfies FilterField
const account = { type: 'text', operators: ['eq', 'has'] } satisfies FilterField

/** What persons can be found by, and what the rules of segments are made of. */
export const personFilters = {
  id: { type: 'id', operators: ['eq', 'in'] },
  reference_id: { type: 'text', operators: ['eq', 'in', 'has'] },
  created_on: recent,
  changed_on: { type: 'date', operators: [...date.operators, 'has'] },
  last_seen: recent,
  exclude_until: { type: 'date', operators: [...date.operators, 'has'] },
  gender: { type: 'text', operators: ['eq', 'neq', 'in'], values: genders },
  age: { type: 'integer', operators: ['eq', 'lt', 'lte', 'gt', 'gte'] },
  interactions: {
    ...interacted,
    chosenBy: 'type',
    params: Object.fromEntries(interactionNames.map((name) => [name.toLowerCase(), name])),
  },
  liked: interacted,
  viewed: interacted,
  shared: interacted,
  bookmarked: interacted,
  commented: interacted,
  won: interacted,
  called: interacted,
  emailed: interacted,
  purchased: interacted,
  microblog_accounts: account,
  photo_social_accounts: account,
  social_network_accounts: account,
  search_accounts: account,
  stream_accounts: account,
  payment_customer: account,
  password: { type: 'text', operators: ['has'] },
  tags: {
    type: 'text',
    operators: ['eq', 'in', 'all', 'has'],
    params: { id: 'id', slug: 'slug', body: 'body' },
  },
  terms: { type: 'text', operators: ['eq', 'in', 'has'] },
} satisfies FilterSpec

export type FieldName = keyof typeof personFilters

/**
 * The list takes words and segments as well. A rule cannot: what words are taken for depends on all other persons, and a
 * segment on its own rules.
 */
export const listFilters = {
  segments: { type: 'id', operators: ['eq', 'in', 'has'] },
  q: { type: 'text', operators: ['fz'], bare: 'fz', later: true },
  ...personFilters,
} satisfies FilterSpec

export const personSorts = {
  created_on: { type: 'date' },
  changed_on: { type: 'date', nullable: true },
  last_name: { type: 'text', nullable: true },
  first_name: { type: 'text', nullable: true },
} satisfies SortSpec

/** The label of the interactions that a field or its `type` is about; undefined: any. */
export const labelOf = (name: string, type: string | undefined): InteractionLabel | undefined => {
  const said = name === 'interactions' ? type && personFilters.interactions.params[type] : capitalized(name)
  return said === undefined ? undefined : labelNamed(said)
}

const capitalized = (name: string): string => name[0]!.toUpperCase() + name.slice(1)

/** `person_accounts.provider` of a field. */
export const providerOf = (name: string): string => name.replace(/_(accounts|customer)$/, '')
