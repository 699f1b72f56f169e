import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { listSignature } from '../../../database/cursor.ts'
import type { Condition } from '../../../database/filters.ts'
import type { ListRequest, Page } from '../../../database/page.ts'
import { parseSort } from '../../../database/sort.ts'
import type { Problem } from '../../../database/values.ts'
import { faultsOf } from '../../../errors.ts'
import type { Actor } from '../../access/authenticate.ts'
import { type Count, sequencePage } from '../../access/sequence-page.ts'
import { facet } from '../facets.ts'
import { checkLocale } from '../list/compile.ts'
import { readAsked } from '../list/list.ts'
import { shownOf } from '../present/shown.ts'
import type { View } from '../present/view.ts'
import type { ShownRow } from '../table.ts'
import { contentAt, publicationAt, type VersionRow, versionColumns, withBirth } from '../versions/load.ts'
import { pastConditions } from './filter.ts'

type Listed = VersionRow & { sequence: string }

/**
 * What was published at a past time, the newest first: ids are in the order of creation. Versions are walked by
 * their key, so a page reads about as many as it shows; a total reads them all.
 */
export const listPast = async (
  context: Pick<Context, 'db' | 'totals'>,
  actor: Actor,
  request: ListRequest,
  at: Date,
  view: View,
  withItems: boolean,
): Promise<{ page: Page<ShownRow>; view: View }> => {
  const problems: Problem[] = []
  const { filter, locale } = readAsked(request, problems)
  const spec = specFor(request)
  checkLocale(actor.environment, locale, problems)
  problems.push(...faultsOf(() => parseSort(spec.sorts, request.sort ?? spec.defaultSort)))
  const only = [
    sql`row.environment_id = ${actor.environment_id}`,
    ...pastConditions(filter, problems),
    publishedAt(view.structure.findStatus({ body: 'Done' })!.id, at, locale, seenIn(actor)),
  ]
  const source = versionsAt(actor.environment_id, at, isDescending(request), withItems)
  const plain = { ...request, filter: {} }
  const count = remembered(context, actor.environment_id, `${spec.table} ${actor.token.visibility}`)
  const page = await sequencePage<Listed>(context.db, spec, source, only, plain, { type: 'text', count })
  const shown = page.rows.map((row) => shownOf(publicationAt(row), actor, view))
  return {
    page: { ...page, rows: shown.map(({ row }) => row) },
    view: { ...view, contents: shown.flatMap((one) => one.view.contents!) },
  }
}

/** Counted again when something was written: versions and the trash may have been pruned. */
const remembered =
  ({ totals }: Pick<Context, 'totals'>, environment: string, key: string): Count =>
  (db, source, where) => {
    const count = async () => {
      const { rows } = await sql<{ count: string; snapshot: string }>`
        select count(*) as count, pg_current_snapshot()::text as snapshot from ${source} as row
        where ${sql.join(where, sql` and `)}`.execute(db)
      return { count: Number(rows[0]!.count), snapshot: rows[0]!.snapshot }
    }
    return totals.of({ environment, family: 'content', key, count })
  }

/** The list's own name holds what it is filtered by, so that a cursor of another one is told from its own. */
const specFor = ({ filter }: ListRequest) => ({
  table: `publication_versions ${listSignature(filter)}`,
  family: 'content' as const,
  filters: {},
  sorts: { created_on: { type: 'date' as const } },
  defaultSort: '-created_on',
})

/**
 * Of each publication the version that was current, in one pass over the key of versions: 100,000 publications of
 * three versions are counted in 1 s, where a look for the newest of each took 3 to 6.
 */
const versionsAt = (
  environmentId: string,
  at: Date,
  descending: boolean,
  withItems: boolean,
): RawBuilder<unknown> => {
  const newest = sql`select distinct on (publication_id) * from publication_versions
    where environment_id = ${environmentId} and created_on <= ${at}
    order by publication_id ${sql.raw(descending ? 'desc' : 'asc')}, version desc`
  return sql`(select row.publication_id as sequence, ${versionColumns},
      ${withItems ? contentAt : sql`'{}'::jsonb`} as found
    from (${newest}) as row ${withBirth} where row.event <> 'deleted')`
}

/** Whether the walk goes towards older ones. */
const isDescending = ({ sort, before }: ListRequest): boolean =>
  (sort ?? '-').startsWith('-') !== (before !== undefined)

/** What a token that sees only what is published may see of the locale `linked` now. */
const seenIn = ({ environment_id, token }: Actor): Condition =>
  token.visibility === 'published'
    ? sql`exists (select 1 from publication_locales as now where now.environment_id = row.environment_id
        and now.id = row.publication_id and now.locale = linked.locale
        and now.facets @> array[${facet(environment_id, 'published')}::bigint])`
    : sql`true`

const publishedAt = (doneId: string, at: Date, locale: string | undefined, seen: Condition): Condition =>
  sql`exists (select 1 from unnest(row.locales) as linked (locale), lateral (select row.state -> linked.locale) as of (state)
    where ${locale === undefined ? sql`true` : sql`linked.locale = ${locale}`} and state ->> 'status_id' = ${doneId} and ${seen}
      and coalesce((state ->> 'publish_on')::timestamptz <= ${at}, true)
      and coalesce((state ->> 'expire_on')::timestamptz > ${at}, true))`
