import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { type ListRequest, type Page, placeIn, readPage } from '../../../database/page.ts'
import type { SortKey, SortSpec } from '../../../database/sort.ts'
import type { TieredWalk } from '../../../database/tiers.ts'
import type { InteractionLabel } from '../../interactions/labels.ts'
import type { Home } from '../list/atoms.ts'
import { countPublications } from '../list/count.ts'
import { allIn, type Listed } from '../list/home.ts'
import { sortedWalk } from '../list/walk.ts'
import { type ShownRow, shownColumns } from '../table.ts'

const countedIn = (home: Home, label: InteractionLabel) =>
  sql`publication_counters as counted where counted.environment_id = ${sql.ref(`${home}.environment_id`)}
    and counted.publication_id = ${sql.ref(`${home}.id`)} and counted.label = ${label} and counted.count > 0`

/** Those with most interactions first. Those without any follow in the order asked for, and are not sorted by it. */
export const readOrdered = async (
  context: Pick<Context, 'db' | 'totals'>,
  list: Listed,
  request: ListRequest,
  label: InteractionLabel,
  sorts: SortSpec,
): Promise<Page<ShownRow>> => {
  const total = request.total ? await countPublications(context, list) : undefined
  const rest = sortedWalk(list, request, total, sorts)
  const home: Home = rest.source ? 'local' : 'row'
  const count: SortKey = {
    name: `interactions ${label}`,
    expression: sql`coalesce((select counted.count::double precision from ${countedIn(home, label)}), 0)`,
    type: 'number',
    nullable: false,
    descending: true,
  }
  const some = sql`exists (select 1 from ${countedIn(home, label)})`
  const walk: TieredWalk = {
    ...rest,
    keys: [count, ...rest.keys],
    columns: shownColumns,
    conditions: allIn(list, home, true),
    plannedAnew: true,
    tiers: [
      { values: 'others', conditions: [some], finding: 'sorted' },
      { values: [0], conditions: [sql`not ${some}`], finding: rest.finding },
    ],
  }
  const { signature, position } = placeIn('publications', walk.keys, request)
  return readPage<ShownRow>(context.db, { ...walk, position }, signature, request, total)
}
