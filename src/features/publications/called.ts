import type { Context } from '../../context.ts'
import type { ListRequest, Page } from '../../database/page.ts'
import { emittedName } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { type Calling, findCalling } from '../webhooks/queries.ts'
import { listWholePublications } from './list/list.ts'
import { snapshotOf } from './store/load.ts'
import { loadMany } from './store/load-many.ts'
import type { PublicationRow } from './table.ts'

type Called = Record<string, string[]>

/** Publications in memory at a time. */
const atOnce = 50

/** Which addresses an event would call, for each publication of a page as it is now. */
export const listCalled = async (
  context: Context,
  actor: Actor,
  request: ListRequest,
  event: string,
): Promise<{ page: Page<PublicationRow>; webhooks: Called }> => {
  const { page } = await listWholePublications(context, actor, request)
  const calling = await findCalling(context, actor.environment, event)
  const webhooks: Called = {}
  for (let from = 0; from < page.rows.length; from += atOnce)
    Object.assign(
      webhooks,
      await calledFor(context, page.rows.slice(from, from + atOnce), calling, emittedName(event)),
    )
  return { page, webhooks }
}

const calledFor = async (
  { db }: Context,
  rows: PublicationRow[],
  { index, urls }: Calling,
  event: string,
): Promise<Called> => {
  const stored = index.asksForMatch(event) ? await loadMany(db, rows) : undefined
  return Object.fromEntries(
    rows.map((row, place) => {
      const whole = stored?.[place]
      const snapshot = whole ? snapshotOf(whole.publication, row.facets, whole.facets, whole.words) : null
      const called = index.wanting(event, snapshot).map(({ webhook }) => urls.get(webhook.id)!)
      return [row.id, [...new Set(called)]]
    }),
  )
}
