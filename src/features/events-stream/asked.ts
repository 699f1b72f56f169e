import type { Context } from '../../context.ts'
import { type FieldError, InsufficientScope, Invalid } from '../../errors.ts'
import { isObject } from '../../objects.ts'
import type { Actor } from '../access/authenticate.ts'
import { isOfPublication, missingScopes, offered, readNames } from './names.ts'
import { readEnd } from './read.ts'
import { compileFilter, type Filter } from './sight.ts'

/** What a stream is to carry, the number behind which it begins, and that of the last event when it was asked for. */
export type Asked = { names: ReadonlySet<string>; filter: Filter | undefined; after: number; end: number }

type Query = Record<string, unknown>
const parameters = ['events', 'filter', 'locale', 'last_event_id']

/** Reads what a request asks for; everything that is wrong with it is told at once. */
export const readAsked = async (
  context: Context,
  actor: Actor,
  query: Query,
  header: string | undefined,
): Promise<Asked> => {
  const problems: FieldError[] = []
  for (const name of Object.keys(query))
    if (!parameters.includes(name)) problems.push({ path: name, message: 'is not a known field' })
  const filter = readFilter(query, problems)
  const asked = readNames(query.events, problems)
  if (filter) problems.push(...unfilterable(asked ?? []), ...(await faultsOf(context, actor, filter)))
  // Read before anything is said, so that what is written once the answer has begun comes behind it.
  const end = await readEnd(context.db)
  const sent = readPosition(query.last_event_id, 'last_event_id', end, problems)
  const resumed = readPosition(header, 'Last-Event-ID', end, problems)
  if (problems.length > 0) throw new Invalid(problems)
  // A browser repeats the address as it was, and has the newer number in its header.
  return { names: namesFor(actor, asked, filter), filter, after: resumed ?? sent ?? end, end }
}

/** The object form of a list's query, its locale inside or beside it. */
const readFilter = (query: Query, problems: FieldError[]): Filter | undefined => {
  if (query.filter === undefined && query.locale === undefined) return undefined
  if (query.filter !== undefined && !isObject(query.filter))
    problems.push({ path: 'filter', message: 'must be filters such as filter[status][eq]=Done' })
  const { locale = query.locale, ...input } = isObject(query.filter) ? query.filter : {}
  if (locale !== undefined && typeof locale !== 'string')
    problems.push({ path: 'locale', message: 'must be a single value' })
  return { input, locale: typeof locale === 'string' ? locale : undefined }
}

const unfilterable = (names: string[]): FieldError[] =>
  names
    .filter((name) => !isOfPublication(name))
    .map((name) => ({ path: 'events', message: `"${name}" cannot be filtered; events of publications can` }))

const faultsOf = async (context: Context, actor: Actor, filter: Filter): Promise<FieldError[]> => {
  try {
    await compileFilter(context, actor, filter)
    return []
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return error.errors!.map(({ path, message }) => ({
      path: path === 'locale' ? path : `filter.${path}`,
      message,
    }))
  }
}

const readPosition = (
  sent: unknown,
  path: string,
  end: number,
  problems: FieldError[],
): number | undefined => {
  if (sent === undefined) return undefined
  const number = typeof sent === 'string' && /^\d{1,15}$/.test(sent) ? Number(sent) : undefined
  if (number === undefined) problems.push({ path, message: 'must be the id of an event of this stream' })
  else if (number > end) problems.push({ path, message: 'is behind the last event there is' })
  return number
}

/** Without names all that the token may read; a name that it may not is refused. */
const namesFor = (
  { token: { scopes } }: Actor,
  asked: string[] | undefined,
  filter: Filter | undefined,
): ReadonlySet<string> => {
  const names = asked ?? (filter ? offered.filter(isOfPublication) : offered)
  if (asked || filter) {
    const missing = missingScopes(names, scopes)
    if (missing.length > 0) throw new InsufficientScope(missing)
  }
  return new Set(names.filter((name) => missingScopes([name], scopes).length === 0))
}
