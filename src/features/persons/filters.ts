import type { Context } from '../../context.ts'
import { dates } from '../../database/common-filters.ts'
import { type ListRequest, listPage, type Page } from '../../database/page.ts'
import type { ListOptions } from '../../http/types.ts'
import type { Actor } from '../access/authenticate.ts'
import { personSorts } from './list/fields.ts'
import { withLastSeen } from './queries.ts'
import type { PersonRow } from './table.ts'

export const personList = {
  table: 'persons',
  family: 'audience',
  filters: dates,
  sorts: personSorts,
  defaultSort: '-created_on',
  maxLimit: 500,
} satisfies ListOptions

export const personListV5 = { ...personList, defaultLimit: 100 } satisfies ListOptions

export const personPage = async (context: Context, { environment_id }: Actor, request: ListRequest) => {
  const page: Page<PersonRow> = await listPage(context, personList, environment_id, request)
  return { ...page, rows: await withLastSeen(context.db, environment_id, page.rows) }
}
