import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { facet } from '../facets.ts'
import { structureOf } from '../structure.ts'
import type { PublicationRow } from '../table.ts'
import { reindexValues } from './reindex.ts'
import { upkeep } from './upkeep.ts'
import { withoutReference } from './without-reference.ts'

const batchSize = 100

type Gone = { id: string; environment_id: string }

export const unlinkPerson = (context: Context, gone: Gone): Promise<void> =>
  unlinkReference(context, { ...gone, label: 'Person' })

/** Takes somebody who was erased, or a file that was deleted, out of the fields that refer to it, without versions. */
export const unlinkReference = async (
  context: Context,
  { id, environment_id, label }: Gone & { label: 'Person' | 'Asset' },
): Promise<void> => {
  const reference = facet(environment_id, 'reference', id)
  const { rows: found } = await sql<{ id: string }>`select id from publications
    where environment_id = ${environment_id} and facets @> array[${reference}::bigint]`.execute(context.db)
  const ids = found.map((row) => row.id).sort()
  for (let from = 0; from < ids.length; from += batchSize)
    await upkeep(context, environment_id, async (tx) => {
      const { rows } =
        await sql<PublicationRow>`select * from publications where environment_id = ${environment_id}
        and id = any(${ids.slice(from, from + batchSize)}::text[]) order by id for update`.execute(tx)
      const structure = await structureOf(context, environment_id)
      const left = await withoutReference(tx, structure, rows, { label, id })
      await reindexValues(tx, environment_id, structure, left)
    })
}
