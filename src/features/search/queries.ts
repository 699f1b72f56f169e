import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Condition } from '../../database/filters.ts'
import { type ListRequest, type ListSpec, listPage, type Page } from '../../database/page.ts'
import { fuzzyMatch, wordsOf } from '../../database/search.ts'
import { invalid } from '../../errors.ts'
import type { Actor } from '../access/authenticate.ts'
import { holds } from '../access/scopes.ts'
import { isThere } from '../assets/queries.ts'
import type { AssetRow } from '../assets/table.ts'
import { listPersons } from '../persons/list/list.ts'
import { listPublications } from '../publications/list/list.ts'
import { tagList } from '../tags/filters.ts'
import type { TagRow } from '../tags/table.ts'

type Asked = { q: string; limit: number; locale?: string | undefined }

const newestFirst = {
  filters: {},
  sorts: { created_on: { type: 'date' } },
  defaultSort: '-created_on',
} satisfies Partial<ListSpec>
const assets: ListSpec = { ...newestFirst, table: 'assets', family: 'content' }

/** What the words find in everything that the token may read. */
export const searchAll = async (context: Context, actor: Actor, { q, limit, locale }: Asked) => {
  const words = wordsOf(q)
  if (words.length === 0) throw invalid('q', 'must hold at least one word')
  const may = (scope: string): boolean => holds(actor.token.scopes, scope)
  const request: ListRequest = { limit, skip: 0, total: true, filter: {} }
  const find = <Row extends object>(spec: ListSpec, ...only: Condition[]): Promise<Page<Row>> =>
    listPage<Row>(context, spec, actor.environment_id, request, only)
  const [publications, foundAssets, foundPersons, tags] = await Promise.all([
    may('publications')
      ? listPublications(context, actor, {
          ...request,
          filter: { q, ...(locale !== undefined && { locale }) },
        })
      : undefined,
    may('assets') ? find<AssetRow>(assets, isThere, fuzzyMatch(sql.ref('row.names'), words)) : undefined,
    may('persons') ? listPersons(context, actor, { ...request, filter: { q } }) : undefined,
    listPage<TagRow>(context, tagList, actor.environment_id, { ...request, filter: { q } }),
  ])
  return { publications: publications?.page, assets: foundAssets, persons: foundPersons, tags }
}
