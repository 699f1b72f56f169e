import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connect.ts'
import type { Test } from '../../../database/filters.ts'
import { type ListRequest, type Page, placeIn, readPage } from '../../../database/page.ts'
import { parseSort } from '../../../database/sort.ts'
import type { Problem } from '../../../database/values.ts'
import { type FieldError, faultsOf, Invalid } from '../../../errors.ts'
import type { Actor } from '../../access/authenticate.ts'
import { withLastSeen } from '../queries.ts'
import type { PersonRow } from '../table.ts'
import { countPersons, type Listed } from './count.ts'
import { listFilters, personSorts } from './fields.ts'
import { readPersonFilter, searched, testsOf } from './read.ts'
import { findSought, tokensOf } from './search.ts'
import { defaultSort, rankedWalk, sortedWalk } from './walk.ts'

/** What is wrong with a request, of what can be told without the database. */
export const faultsIn = ({ filter, sort = defaultSort }: ListRequest): FieldError[] => {
  const problems: Problem[] = []
  readPersonFilter(filter, problems, listFilters)
  return [...problems, ...faultsOf(() => parseSort(personSorts, sort))]
}

type Reads = Pick<Context, 'db' | 'totals' | 'versions'>

/** One page of persons, with the exact total of the same filter. */
export const listPersons = async (
  context: Reads,
  { environment }: Pick<Actor, 'environment'>,
  request: ListRequest,
): Promise<Page<PersonRow & { last_seen: Date | null }>> => {
  const faults = faultsIn(request)
  if (faults.length > 0) throw new Invalid(faults)
  const list = await askedFor(context.db, environment, request)
  const byRank = request.sort === undefined && list.sought.length > 0
  // How rows are best found depends on how many there are, which is mostly remembered.
  const total = request.total || byRank ? await countPersons(context, list) : undefined
  const walk = byRank ? await rankedWalk(context, list, request, total!) : sortedWalk(list, request, total)
  const { signature, position } = placeIn('persons', walk.keys, request)
  const counted = request.total ? total : undefined
  const page = await readPage<PersonRow>(context.db, { ...walk, position }, signature, request, counted)
  return { ...page, rows: await withLastSeen(context.db, environment.id, page.rows) }
}

const askedFor = async (
  db: Db,
  environment: Actor['environment'],
  { filter: input }: ListRequest,
): Promise<Listed> => {
  const filter = readPersonFilter(input, [], listFilters)
  const searches = testsOf(filter).filter(({ name }) => name === 'q')
  const found = await Promise.all(
    searches.map(({ value }) => findSought(db, environment.id, tokensOf(searched(value)))),
  )
  const soughtBy = (test: Test) => found[searches.indexOf(test)]!
  const asking = { environment, now: new Date(), soughtBy }
  const sought = filter.tests.flatMap((test) => (test.name === 'q' ? soughtBy(test) : []))
  return { asking, filter, input, sought }
}
