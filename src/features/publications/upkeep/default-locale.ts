import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { upkeep, walk } from './upkeep.ts'

const batchSize = 1000

/** Without a locale, publications sort by the date of the default one; it may have become another. */
export const moveDefaultLocale = async (context: Context, { id }: { id: string }): Promise<void> => {
  await walk((after) =>
    upkeep(context, id, async (tx) => {
      const { rows } = await sql<{ last: string | null }>`
        with part as materialized (
          select row.id, row.publish_on, local.publish_on as wanted
          from (select * from publications where environment_id = ${id} and id > ${after}
            order by id limit ${batchSize}) as row
          left join publication_locales as local on local.environment_id = ${id} and local.id = row.id
            and local.locale = (select default_locale from environments where id = ${id})
        ), moved as (
          update publications as row set publish_on = part.wanted from part
          where row.environment_id = ${id} and row.id = part.id and row.publish_on is distinct from part.wanted
        )
        select max(id) as last from part`.execute(tx)
      return rows[0]!.last ?? undefined
    }),
  )
}
