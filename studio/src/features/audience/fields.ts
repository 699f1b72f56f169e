import type { FilterField, Operator } from '../../components/filters/filter.ts'
import { t } from '../../texts/index.ts'
import {
  findPublications,
  findSegments,
  findTagBodies,
  findTags,
  namedPublications,
  namedSegments,
  namedTags,
} from './choices.ts'

const date = (name: string, title: string, ...operators: Operator[]): FilterField => ({
  name,
  title,
  type: 'date',
  operators,
  words: { has: t.audience.isSet },
})

const publication = (name: string, title: string): FilterField => ({
  name,
  title,
  type: 'choice',
  operators: ['has', 'in'],
  words:
    name === 'interactions'
      ? { has: t.audience.atAll, in: t.audience.withAnyOf }
      : { has: t.audience.anything, in: t.audience.anyOf },
  find: findPublications,
  named: namedPublications,
})

const has = (name: string, title: string): FilterField => ({
  name,
  title,
  type: 'boolean',
  operators: ['has'],
  words: { has: t.audience.isKnown },
})

/** Labels that have no filter of their own name. */
const otherLabels = [
  'Subscribe',
  'Opened',
  'Search',
  'Clickthrough',
  'Cancellation',
  'Dislike',
  'Remarked',
  'Sale',
  'Vote',
]

const genderField = (): FilterField => ({
  name: 'gender',
  title: t.audience.gender,
  type: 'choice',
  operators: ['in', 'neq', 'eq'],
  choices: Object.entries(t.audience.genders).map(([value, label]) => ({ value, label })),
})

const accountFields = (): FilterField[] =>
  Object.entries(t.audience.accounts).map(([provider, title]) =>
    has(provider === 'payment' ? 'payment_customer' : `${provider}_accounts`, title),
  )

/** What segments can be made of: the filters of persons, without words and other segments. */
export const personFields = (): FilterField[] => [
  date('last_seen', t.audience.lastSeen, 'il', 'gt', 'lt', 'gte', 'lte'),
  {
    name: 'tags',
    title: t.audience.tags,
    type: 'choice',
    operators: ['in', 'all', 'has', 'eq'],
    words: { in: t.audience.hasAnyOf, has: t.audience.atAll },
    find: findTags,
    named: namedTags,
  },
  { name: 'age', title: t.audience.age, type: 'number', operators: ['gte', 'lte', 'eq', 'lt', 'gt'] },
  genderField(),
  {
    name: 'terms',
    title: t.audience.terms,
    type: 'text',
    operators: ['eq', 'has'],
    words: { has: t.audience.isSet },
  },
  ...Object.entries(t.audience.did).map(([name, title]) => publication(name, title)),
  ...otherLabels.map((label) => publication(`interactions.${label}`, t.audience.labels[label]!)),
  date('created_on', t.audience.createdOn, 'il', 'gt', 'lt', 'gte', 'lte'),
  date('changed_on', t.audience.changedOn, 'gt', 'lt', 'has', 'gte', 'lte'),
  date('exclude_until', t.audience.excludeUntil, 'gt', 'lt', 'has', 'gte', 'lte'),
  {
    name: 'reference_id',
    title: t.audience.referenceId,
    type: 'text',
    operators: ['eq', 'has'],
    words: { has: t.audience.isSet },
  },
  { name: 'id', title: t.audience.id, type: 'text', operators: ['eq'] },
  has('password', t.audience.password),
  ...accountFields(),
]

/** The same for the list, with segments in front. */
export const listFields = (): FilterField[] => [
  {
    name: 'segments',
    title: t.audience.inSegments,
    type: 'choice',
    operators: ['in', 'has'],
    words: { in: t.audience.hasAnyOf, has: t.audience.atAll },
    find: findSegments,
    named: namedSegments,
  },
  ...personFields(),
]

/** Tags may also be told by what they are called; shown where a rule does so, but not offered. */
export const knownFields = (): FilterField[] => [
  ...personFields(),
  {
    name: 'tags.body',
    title: t.audience.tags,
    type: 'choice',
    operators: ['in', 'all', 'eq'],
    words: { in: t.audience.hasAnyOf },
    find: findTagBodies,
    labelOf: (body) => body,
  },
]
