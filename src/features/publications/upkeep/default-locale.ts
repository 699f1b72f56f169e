import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { facet } from '../facets.ts'
import { upkeep, walk } from './upkeep.ts'

const batchSize = 1000

/**
 * Without a locale, publications sort by the date of the default one, and version 5 shows it; it may have become
 * another.
 */
export const moveDefaultLocale = async (context: Context, { id }: { id: string }): Promise<void> => {
  const main = sql`${facet(id, 'main')}::bigint`
  await walk((after) =>
    upkeep(context, id, async (tx) => {
      const { rows } = await sql<{ last: string | null }>`
        with part as materialized (
          select row.id, local.publish_on as wanted, coalesce(local.locale, row.locales[1]) as main
          from (select * from publications where environment_id = ${id} and id > ${after}
            order by id limit ${batchSize} for update) as row
          left join publication_locales as local on local.environment_id = ${id} and local.id = row.id
            and local.locale = (select default_locale from environments where id = ${id})
        ), turned as (
          update publication_locales as local set main = local.locale = part.main,
            facets = case when local.locale = part.main then array_append(local.facets, ${main})
              else array_remove(local.facets, ${main}) end
          from part where local.environment_id = ${id} and local.id = part.id
            and local.main is distinct from (local.locale = part.main)
        ), moved as (
          update publications as row set publish_on = part.wanted, state = coalesce((
            select jsonb_object_agg(key, value || jsonb_build_object('main', key is not distinct from part.main))
            from jsonb_each(row.state)), '{}')
          from part where row.environment_id = ${id} and row.id = part.id
            and (row.publish_on is distinct from part.wanted
              or row.state @> jsonb_build_object(coalesce(part.main, ''), jsonb_build_object('main', true)) is not true)
        )
        select max(id) as last from part`.execute(tx)
      return rows[0]!.last ?? undefined
    }),
  )
}
