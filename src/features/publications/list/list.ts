import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { listSignature } from '../../../database/cursor.ts'
import type { Condition } from '../../../database/filters.ts'
import { type ListRequest, type Page, placeIn, readPage } from '../../../database/page.ts'
import { parseSort, type SortKey, withId } from '../../../database/sort.ts'
import { type Problem, readers } from '../../../database/values.ts'
import type { Walk } from '../../../database/walk.ts'
import { type FieldError, faultsOf, Invalid } from '../../../errors.ts'
import type { ListOptions } from '../../../http/types.ts'
import type { Actor } from '../../access/authenticate.ts'
import { readAt } from '../at/moment.ts'
import { facet } from '../facets.ts'
import type { PublicationRow } from '../table.ts'
import type { Conjunction, Home } from './atoms.ts'
import {
  checkLocale,
  compilePublicationFilter,
  type PublicationFilter,
  readPublicationFilter,
} from './compile.ts'
import { bigints } from './conditions.ts'
import { publicationFilters, publicationSorts } from './fields.ts'

const defaultSort = '-created_on'

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
export const listPublications = async (
  context: Pick<Context, 'db' | 'remember' | 'totals'>,
  actor: Actor,
  request: ListRequest,
): Promise<{ page: Page<PublicationRow>; looking: Looking }> => {
  const problems: Problem[] = []
  const { filter: input, locale, fallback, at } = readAsked(request, problems)
  const { environment, token } = actor
  const looking = { environment, locale, visibility: token.visibility, at }
  const filter = await compilePublicationFilter(context, looking, input).catch((error) => {
    throw error instanceof Invalid
      ? new Invalid([...problems, ...(error.errors ?? []), ...sortFaults(request)])
      : error
  })
  if (problems.length > 0 || sortFaults(request).length > 0)
    throw new Invalid([...problems, ...sortFaults(request)])
  const list: Listed = { environmentId: environment.id, locale, filter }
  const walk = walkOf(list, request)
  const { signature, position } = placeIn('publications', walk.keys, request)
  const key = listSignature(
    'publications',
    locale ?? null,
    token.visibility,
    at ?? null,
    input,
    filter.searched,
  )
  const total = request.total ? countAll(context, list, key) : undefined
  const page = await readPage<PublicationRow>(context.db, { ...walk, position }, signature, request, total)
  return { page, looking: { locale, fallback, at } }
}

type Listed = { environmentId: string; locale: string | undefined; filter: PublicationFilter }

/**
 * With a locale the page is found among the rows of that locale where its order is theirs; in any other order among
 * publications, whose indexes have it.
 */
const walkOf = (list: Listed, request: ListRequest): Walk => {
  const { environmentId, locale, filter } = list
  const byRank = request.sort === undefined && filter.rank !== undefined
  const sorted = (request.sort ?? defaultSort).includes('publish')
  const home: Home = locale !== undefined && (sorted || byRank) ? 'local' : 'row'
  const base = baseOf(list, home)
  const narrows = filter.conjunction.atoms.length + filter.conjunction.alternatives.length > 0
  return {
    table: 'publications',
    scope: { column: 'environment_id', value: environmentId },
    keys: byRank
      ? rankKeys(home, filter.rank!)
      : parseSort(publicationSorts, request.sort ?? defaultSort, (column) => columnIn(home, column)),
    conditions: [...base, ...conditionsOf(list, home)],
    position: undefined,
    backwards: request.before !== undefined,
    ...(home === 'local' && { source: { table: 'publication_locales', alias: 'local' } }),
    ...(narrows && { plannedAnew: true }),
    ...(narrows && isSpread(filter.conjunction) && { ahead: { rows: lookAhead, conditions: base } }),
  }
}

/** Walked in about 3 ms; a tag that one of a hundred rows has is found 25 times among them. */
const lookAhead = 3000

/** Whether rows are found by nothing but facets and dates: many, or few, and anywhere. */
const isSpread = ({ atoms, alternatives }: Conjunction): boolean =>
  atoms.every((atom) => atom.facets !== undefined || atom.row !== undefined) &&
  alternatives.flat().every(isSpread)

const baseOf = ({ environmentId, locale }: Listed, home: Home): Condition[] => {
  const environment = sql`${sql.ref(`${home}.environment_id`)} = ${environmentId}`
  if (locale === undefined) return [environment]
  return home === 'local'
    ? [environment, sql`local.locale = ${locale}`]
    : [environment, sql`row.facets @> ${bigints([facet(environmentId, 'locale', locale)])}`]
}

/** The index of facets is told the locale too, or it would find the rows of all of them. */
const conditionsOf = ({ environmentId, locale, filter }: Listed, home: Home): Condition[] => {
  const conditions = filter.conditionsIn(home)
  if (home === 'row' || conditions.length === 0) return conditions
  return [sql`local.facets @> ${bigints([facet(environmentId, 'own_locale', locale)])}`, ...conditions]
}

const columnIn = (home: Home, column: string): RawBuilder<unknown> =>
  home === 'row' || column === 'publish_on' || column === 'id'
    ? sql.ref(`${home}.${column}`)
    : sql`(select ${sql.ref(`row.${column}`)} from publications as row
        where row.environment_id = local.environment_id and row.id = local.id)`

/** Titles first, then the newest. */
const rankKeys = (home: Home, rank: RawBuilder<number>): SortKey[] => {
  const best =
    home === 'local'
      ? rank
      : sql`coalesce((select max(${rank}) from publication_locales as local
          where local.environment_id = row.environment_id and local.id = row.id), 0)`
  const key = { nullable: false, descending: true }
  return withId(
    [
      { ...key, name: 'rank', expression: best, type: 'number' },
      { ...key, name: 'publish_on', expression: columnIn(home, 'publish_on'), type: 'date', nullable: true },
    ],
    (column) => columnIn(home, column),
  )
}

/** The rows of a locale are counted where they are; their facets are short, and nothing else is read. */
const countAll = (
  { db, totals }: Pick<Context, 'db' | 'totals'>,
  list: Listed,
  key: string,
): Promise<number> => {
  const home: Home = list.locale === undefined ? 'row' : 'local'
  const source = home === 'row' ? sql`publications as row` : sql`publication_locales as local`
  const where = sql.join([...baseOf(list, home), ...conditionsOf(list, home)], sql` and `)
  const count = async () => {
    const { rows } = await sql<{ count: string; snapshot: string }>`
      select count(*) as count, pg_current_snapshot()::text as snapshot from ${source} where ${where}`.execute(
      db,
    )
    return { count: Number(rows[0]!.count), snapshot: rows[0]!.snapshot }
  }
  const { matches } = list.filter
  return totals.of({
    environment: list.environmentId,
    family: 'content',
    key,
    count,
    matches: matches as never,
  })
}
