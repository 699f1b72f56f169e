import { sql } from 'kysely'
import type { Condition, Filter, Test } from '../../../database/filters.ts'
import { operators } from '../../../database/operators.ts'
import { labelBit } from '../../interactions/labels.ts'
import { boundsOf } from './age-bounds.ts'
import { type FieldName, labelOf, providerOf } from './fields.ts'
import { existsIn, type Home, keyIn, onColumn } from './homes.ts'
import { isInFacts, testsOf } from './read.ts'
import { type Sought, soughtIn } from './search.ts'

/** When and where a filter is asked: ages and `il` move with the clock, days with the time zone. */
export type Asking = {
  environment: { id: string; time_zone: string }
  now: Date
  /** What the words of a search came to, where there is one. */
  soughtBy?: (test: Test) => Sought[]
  /** Whether all who fulfil it are wanted, rather than to know it of a few. */
  wholly?: boolean
}

type Build = (home: Home, test: Test, asking: Asking) => Condition

/** All that a filter asks of a person, as one condition over a home. */
export const personCondition = (asking: Asking, filter: Filter, home: Home = 'row'): Condition => {
  const { tests, alternatives } = filter
  const all = [
    ...tests.map((test) => testCondition(asking, test, home)),
    ...alternatives.map((list) =>
      asking.wholly && !list.flatMap(testsOf).every(isInFacts)
        ? amongAlternatives(asking, list, home)
        : joined(list, sql` or `, (one) => personCondition(asking, one, home)),
    ),
  ]
  return all.length === 0 ? sql`true` : joined(all, sql` and `, (one) => one)
}

/** Said by `or`, every person would be looked up for each alternative. */
const amongAlternatives = (asking: Asking, alternatives: Filter[], home: Home): Condition => {
  const each = alternatives.map(
    (one) => sql`select facts.person_key from person_facts as facts
    where facts.environment_id = ${asking.environment.id} and ${personCondition(asking, one, 'facts')}`,
  )
  return sql`${keyIn(home)} in (${sql.join(each, sql` union all `)})`
}

const joined = <T>(list: T[], by: Condition, said: (one: T) => Condition): Condition =>
  sql`(${sql.join(list.map(said), by)})`

const testCondition = (asking: Asking, test: Test, home: Home): Condition =>
  test.name === 'q'
    ? soughtIn(home, asking.soughtBy!(test))
    : builders[test.name as FieldName](home, test, asking)

const compared =
  (column: { persons?: string; facts?: string }): Build =>
  (home, { operator, value }, { now }) =>
    onColumn(home, column, (ref) =>
      operator === 'il'
        ? sql`${ref} >= ${new Date(now.getTime() - (value as number) * 1000)}`
        : operators[operator].plain(ref, value as never),
    )

const aged: Build = (home, test, asking) => {
  const { after, upTo } = boundsOf(asking, test)
  return onColumn(home, { persons: 'date_of_birth', facts: 'date_of_birth' }, (ref) => {
    const sides = [
      ...(after === null ? [] : [sql`${ref} > ${after}::date`]),
      ...(upTo === null ? [] : [sql`${ref} <= ${upTo}::date`]),
    ]
    return sql`(${sql.join(sides, sql` and `)})`
  })
}

/** `has` is told by a bit of the facts; which publication, only by the interactions themselves. */
const interacted: Build = (home, test) => {
  const label = labelOf(test.name, test.param)
  if (test.operator === 'has') {
    const bits = label === undefined ? -1 : labelBit(label)
    return onColumn(home, { facts: 'labels' }, (ref) =>
      test.value ? sql`${ref} & ${sql.lit(bits)} <> 0` : sql`${ref} & ${sql.lit(bits)} = 0`,
    )
  }
  const which = test.operator === 'eq' ? [test.value] : test.value
  const labelled = label === undefined ? sql`` : sql` and found.label = ${label}`
  return existsIn(home, 'interactions', sql`found.publication_id = any(${which}::text[])${labelled}`)
}

/** Rows of a table beside the person that must, or with `has: false` must not, be there. */
const linked =
  (table: string, column: string, only?: (test: Test) => Condition): Build =>
  (home, test, asking) => {
    const own = only?.(test) ?? sql`true`
    if (test.operator === 'has')
      return test.value ? existsIn(home, table, own) : sql`not ${existsIn(home, table, own)}`
    return existsIn(home, table, sql`${own} and ${among(test, sql.ref(`found.${column}`), asking)}`)
  }

const taggedWithSome = linked('person_tags', 'tag_id')

/** How many of the tags that are asked for a person has; one condition and one list, however many they are. */
const tagged: Build = (home, test, asking) => {
  if (test.operator !== 'all') return taggedWithSome(home, test, asking)
  const some = among(test, sql`found.tag_id`, asking)
  const { name, wanted } = tagNames(test)
  const called = sql`(select ${name} from tags where tags.environment_id = found.environment_id
    and tags.id = found.tag_id)`
  const enough = sql`having count(distinct ${called}) = (select count(distinct one) from unnest(${wanted}) as one)`
  if (!asking.wholly) return existsIn(home, 'person_tags', sql`${some} ${enough}`)
  return sql`${keyIn(home)} in (select found.person_key from person_tags as found
    where found.environment_id = ${asking.environment.id} and ${some} group by found.person_key ${enough})`
}

/** What tags are called by, and the names that are asked for, as they are compared. */
const tagNames = ({ param = 'id', value }: Test): { name: Condition; wanted: Condition } => {
  const list = sql`${[value].flat()}::text[]`
  return param === 'body'
    ? { name: sql`lower(tags.body)`, wanted: sql`array(select lower(one) from unnest(${list}) as one)` }
    : { name: sql.ref(`tags.${param}`), wanted: list }
}

/** Tags go by names too; then they are looked up first. */
const among = (test: Test, ref: Condition, { environment }: Asking): Condition => {
  if (test.param === undefined || test.param === 'id')
    return sql`${ref} = any(${[test.value].flat()}::text[])`
  const { name, wanted } = tagNames(test)
  return sql`${ref} in (select tags.id from tags where tags.environment_id = ${environment.id} and ${name} = any(${wanted}))`
}

const liked = linked('person_links', 'publication_id', () => sql`found.kind = 'Like'`)
const account = linked(
  'person_accounts',
  'account_id',
  ({ name }) => sql`found.provider = ${providerOf(name)}`,
)

const withPassword: Build = (home, { value }) => {
  const found = onColumn(
    home,
    home === 'row' ? { persons: 'password_hash' } : { facts: 'has_password' },
    (ref) => (home === 'row' ? sql`${ref} is not null` : ref),
  )
  return value ? found : sql`not ${found}`
}

/** How each field is looked for, one line per field. */
const builders: Record<FieldName | 'segments', Build> = {
  id: compared({ persons: 'id' }),
  reference_id: compared({ persons: 'reference_id' }),
  created_on: compared({ persons: 'created_on', facts: 'created_on' }),
  changed_on: compared({ persons: 'changed_on' }),
  last_seen: compared({ facts: 'last_seen' }),
  exclude_until: compared({ persons: 'exclude_until' }),
  gender: compared({ persons: 'gender', facts: 'gender' }),
  age: aged,
  interactions: interacted,
  liked,
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
  password: withPassword,
  tags: tagged,
  terms: linked('person_terms', 'term_id'),
  segments: linked('segment_members', 'segment_id'),
}
