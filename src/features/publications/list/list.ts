import type { Context } from '../../../context.ts'
import { type ListRequest, type Page, placeIn, readPage } from '../../../database/page.ts'
import { parseSort, type SortSpec } from '../../../database/sort.ts'
import { type Problem, readers } from '../../../database/values.ts'
import { type FieldError, faultsOf, Invalid } from '../../../errors.ts'
import type { ListOptions } from '../../../http/types.ts'
import type { Actor } from '../../access/authenticate.ts'
import { readAt } from '../at/moment.ts'
import { type PublicationRow, type ShownRow, shownColumns } from '../table.ts'
import { checkLocale, compilePublicationFilter, readPublicationFilter } from './compile.ts'
import { countPublications } from './count.ts'
import { publicationFilters, publicationSorts } from './fields.ts'
import type { Listed } from './home.ts'
import { rankedWalk } from './ranked.ts'
import { defaultSort, sortedWalk } from './walk.ts'

type Asked = Looking & { filter: Record<string, unknown> }
type Looking = { locale: string | undefined; fallback: boolean; at: Date | undefined }

/** How the list is documented, and judged where something else is wrong already; what it finds is made per request. */
export const publicationList = {
  table: 'publications',
  family: 'content',
  filters: publicationFilters,
  sorts: publicationSorts,
  defaultSort,
  faults: (request, { environment }) => {
    const problems: Problem[] = []
    const { filter, locale } = readAsked(request, problems)
    readPublicationFilter(filter, locale, problems)
    checkLocale(environment, locale, problems)
    return [...problems, ...sortFaults(request)]
  },
} satisfies ListOptions

const sortFaults = ({ sort = defaultSort }: ListRequest): FieldError[] =>
  faultsOf(() => parseSort(publicationSorts, sort))

/** What the query of a list holds besides filters. */
export const readAsked = ({ filter: sent }: ListRequest, problems: Problem[]): Asked => {
  const { locale, fallback, at, ...filter } = sent
  if (locale !== undefined && typeof locale !== 'string')
    problems.push({ path: 'locale', message: 'must be a single value' })
  const filled = fallback === undefined ? false : Boolean(readers.boolean(fallback, 'fallback', problems))
  return {
    filter,
    locale: typeof locale === 'string' ? locale : undefined,
    fallback: filled,
    at: readAt(at, problems),
  }
}

/** One page of publications, and how it is looked at. */
export const listPublications = (
  context: Reads,
  actor: Actor,
  request: ListRequest,
): Promise<{ page: Page<ShownRow>; looking: Looking }> =>
  list<ShownRow>(context, actor, request, shownColumns)

/** The same with all there is in the rows. */
export const listWholePublications = (
  context: Reads,
  actor: Actor,
  request: ListRequest,
): Promise<{ page: Page<PublicationRow>; looking: Looking }> => list<PublicationRow>(context, actor, request)

type Reads = Pick<Context, 'db' | 'remember' | 'totals'>

const list = async <Row extends object>(
  context: Reads,
  actor: Actor,
  request: ListRequest,
  columns?: readonly string[],
): Promise<{ page: Page<Row>; looking: Looking }> => {
  const { listed, looking } = await askedList(context, actor, request)
  return { page: await readListed<Row>(context, listed, request, columns), looking }
}

/** The list that a request asks for; every fault of it is told at once. */
export const askedList = async (
  context: Reads,
  { environment, token }: Actor,
  request: ListRequest,
): Promise<{ listed: Listed; looking: Looking }> => {
  const problems: Problem[] = []
  const { filter: input, locale, fallback, at } = readAsked(request, problems)
  const looking = { environment, locale, visibility: token.visibility, at }
  const filter = await compilePublicationFilter(context, looking, input).catch((error) => {
    throw error instanceof Invalid
      ? new Invalid([...problems, ...(error.errors ?? []), ...sortFaults(request)])
      : error
  })
  if (problems.length > 0 || sortFaults(request).length > 0)
    throw new Invalid([...problems, ...sortFaults(request)])
  const key = [locale ?? null, token.visibility, at ?? null, input, filter.searched]
  return { listed: { environmentId: environment.id, locale, filter, key }, looking: { locale, fallback, at } }
}

/** One page of it. */
export const readListed = async <Row extends object>(
  context: Reads,
  listed: Listed,
  request: ListRequest,
  columns?: readonly string[],
  sorts: SortSpec = publicationSorts,
): Promise<Page<Row>> => {
  const byRank = request.sort === undefined && listed.filter.titles !== undefined
  // How rows are best found depends on how many there are, which is mostly remembered.
  const total = request.total || byRank ? await countPublications(context, listed) : undefined
  const walk = byRank
    ? await rankedWalk(context, listed, request, total!)
    : sortedWalk(listed, request, total, sorts)
  const { signature, position } = placeIn('publications', walk.keys, request)
  return readPage<Row>(
    context.db,
    { ...walk, position, ...(columns && { columns }) },
    signature,
    request,
    request.total ? total : undefined,
  )
}
