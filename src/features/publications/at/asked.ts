import type { Context } from '../../../context.ts'
import type { ListRequest, Page } from '../../../database/page.ts'
import type { Actor } from '../../access/authenticate.ts'
import { listPublications, readAsked } from '../list/list.ts'
import { type View, viewOf } from '../present/view.ts'
import type { ShownRow } from '../table.ts'
import { asOf, seenNow } from './as-of.ts'
import { listPast } from './list.ts'
import { isPast } from './moment.ts'

/** The list as it is now or, with `at`, as it was or will be then. */
export const listAsked = async (
  context: Context,
  actor: Actor,
  request: ListRequest,
  withItems: boolean,
): Promise<{ page: Page<ShownRow>; view: View }> => {
  const { at } = readAsked(request, [])
  if (!at) {
    const { page, looking } = await listPublications(context, actor, request)
    return { page, view: await viewOf(context, actor, looking) }
  }
  const { locale, fallback } = readAsked(request, [])
  const view = { ...(await viewOf(context, actor, { locale, fallback })), publishedOnly: true }
  const found = isPast(at)
    ? await listPast(context, actor, request, at, view, withItems)
    : { ...(await listPublications(context, actor, request)), view }
  const doneId = view.structure.findStatus({ body: 'Done' })!.id
  const seen = await seenNow(
    context.db,
    actor,
    found.page.rows.map(({ id }) => id),
  )
  const rows = found.page.rows.map((row) => asOf(row, doneId, at, seen))
  return { page: { ...found.page, rows }, view: found.view }
}
