import type { Context } from '../../../context.ts'
import { restOn } from '../../../database/basis.ts'
import type { ListRequest, Page } from '../../../database/page.ts'
import { parseSort, type SortSpec } from '../../../database/sort.ts'
import type { Problem } from '../../../database/values.ts'
import { type FieldError, faultsOf, Invalid, invalid } from '../../../errors.ts'
import type { ListOptions } from '../../../http/types.ts'
import type { Actor } from '../../access/authenticate.ts'
import { keyBySession } from '../../persons/sessions.ts'
import { preparePublicationFilter, readPublicationFilter } from '../list/compile.ts'
import type { Listed } from '../list/home.ts'
import { readListed } from '../list/list.ts'
import { mainLocale } from '../list/locale.ts'
import { farthest } from '../list/near.ts'
import { defaultSort } from '../list/walk.ts'
import { structureOf } from '../structure.ts'
import { type ShownRow, shownColumns } from '../table.ts'
import { type AskedV5, type Near, readV5 } from './asked.ts'
import { conjunctionOf } from './atoms.ts'
import { readNearest } from './nearest.ts'
import { readOrdered } from './ordered.ts'

const sorts = {
  published_on: { type: 'date', nullable: true, column: 'publish_on' },
  created_on: { type: 'date' },
  changed_on: { type: 'date', nullable: true },
  name: { type: 'text', nullable: true, column: 'title' },
} satisfies SortSpec

/** How the list is documented, and judged where something else is wrong already. */
export const publicationListV5 = {
  table: 'publications',
  family: 'content',
  filters: {},
  sorts,
  defaultSort,
  faults: (request, actor) => readAll(request, actor).problems,
} satisfies ListOptions

const isPersonal = ({ token }: Actor): boolean => token.kind === 'personal'

const readAll = (request: ListRequest, actor: Actor): { asked: AskedV5; problems: FieldError[] } => {
  const problems: Problem[] = []
  const asked = readV5(request, isPersonal(actor), problems)
  const words: Problem[] = []
  readPublicationFilter(asked.filter, undefined, words)
  problems.push(...words.map(({ path, message }) => ({ path: path.replace(/\.(fz|eq)$/, ''), message })))
  return { asked, problems: [...problems, ...faultsOf(() => parseSort(sorts, request.sort ?? defaultSort))] }
}

/** One page of publications of version 5, and whose session it is where that matters. */
export const listV5 = async (
  context: Context,
  actor: Actor,
  request: ListRequest,
  showsPerson: boolean,
): Promise<{ page: Page<ShownRow>; personKey: string | undefined }> => {
  const { asked, problems } = readAll(request, actor)
  if (problems.length > 0) throw new Invalid(problems)
  const isAsked = asked.sessionHash !== undefined || asked.isPersonal || showsPerson
  const personKey = isAsked ? await personOf(context, actor, asked.sessionHash) : undefined
  if (personKey !== undefined || asked.order) restOn(actor, 'interactions')
  const listedWith = await prepare(context, actor, asked, personKey)
  const listed = listedWith(asked.near)
  if (asked.order) return { page: await readOrdered(context, listed, request, asked.order, sorts), personKey }
  if (asked.near && request.sort === undefined)
    return { page: await readNearest(context, listedWith, asked.near, request), personKey }
  return { page: await readListed<ShownRow>(context, listed, request, shownColumns, sorts), personKey }
}

/** The person that a session or a personal token is of; a session that is none is told. */
export const personOf = async (
  { db }: Context,
  actor: Actor,
  sessionHash: string | undefined,
): Promise<string | undefined> => {
  if (sessionHash === undefined && !isPersonal(actor)) return undefined
  const key = await keyBySession(db, actor, sessionHash)
  if (key === undefined) throw invalid('session_hash', 'is not an open session of a person')
  return key
}

/** The list, narrowed to any circle. */
const prepare = async (
  context: Context,
  { environment, token }: Actor,
  asked: AskedV5,
  personKey: string | undefined,
): Promise<(near: Near | undefined) => Listed> => {
  const structure = await structureOf(context, environment.id)
  const looking = { environment, locale: mainLocale, visibility: token.visibility } as const
  const compile = await preparePublicationFilter(context, looking, asked.filter)
  const place = { environmentId: environment.id, structure, personKey }
  return (near) => {
    const filter = compile(conjunctionOf(asked, place, near))
    const key = [
      'v5',
      token.visibility,
      { ...asked, sessionHash: null, near: counted(near) },
      filter.searched,
    ]
    return { environmentId: environment.id, locale: mainLocale, filter, key }
  }
}

/** However far away, there are as many around any place. */
const counted = (near: Near | undefined): unknown => (near && near.metres >= farthest ? 'anywhere' : near)
