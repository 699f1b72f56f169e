import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import type { Actor } from '../../access/authenticate.ts'
import { facet } from '../facets.ts'
import { compilePublicationFilter } from '../list/compile.ts'
import type { Asked } from './asked.ts'

/** `publications as row where …`: those of the filter that the token sees. */
export const matching = async (
  context: Context,
  { environment, token }: Actor,
  { filter, locale }: Pick<Asked, 'filter' | 'locale'>,
): Promise<RawBuilder<unknown>> => {
  const looking = { environment, locale, visibility: token.visibility }
  const { where } = await compilePublicationFilter(context, looking, filter)
  const linked =
    locale === undefined ? [] : [sql`row.facets @> array[${facet(environment.id, 'locale', locale)}::bigint]`]
  const conditions = [sql`row.environment_id = ${environment.id}`, ...linked, ...where]
  return sql`publications as row where ${sql.join(conditions, sql` and `)}`
}

export type Matched = { matched: number; ids: string[]; plan: string }

/**
 * Counts what matches, shows the first and makes the plan: a hash of all ids and versions that PostgreSQL sums up,
 * whatever their order. With `keepAs` they become the records of that operation, as of the same moment.
 */
export const match = async (
  tx: Tx,
  { environment_id }: Actor,
  those: RawBuilder<unknown>,
  keepAs?: string,
): Promise<Matched> => {
  const kept = sql`, kept as (insert into bulk_operation_records (environment_id, operation_id, record_id)
    select ${environment_id}, ${keepAs}, id from matched)`
  const { rows } = await sql<{ matched: number; ids: string[]; sums: string }>`
    with matched as materialized (select row.id, row.id || ' ' || row.version as name from ${those})
      ${keepAs === undefined ? sql`` : kept}
    select count(*)::integer as matched,
      array(select id from matched order by id limit 25) as ids,
      concat_ws(' ', sum(hashtextextended(name, 1)::numeric), sum(hashtextextended(name, 2)::numeric)) as sums
    from matched`.execute(tx)
  const { matched, ids, sums } = rows[0]!
  const plan = createHash('sha256').update(`${environment_id} ${matched} ${sums}`).digest('base64url')
  return { matched, ids, plan }
}

/** The models of what matches, null for those without one. */
export const modelsAmong = async (tx: Tx, those: RawBuilder<unknown>): Promise<(string | null)[]> => {
  const { rows } = await sql<{ model_id: string | null }>`select distinct row.model_id from ${those}`.execute(
    tx,
  )
  return rows.map(({ model_id }) => model_id)
}
