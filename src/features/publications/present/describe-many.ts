import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { loadReferences } from '../fields/present.ts'
import { loadMany } from '../store/load-many.ts'
import { structureOf } from '../structure.ts'
import type { PublicationRow } from '../table.ts'
import { describePublication, referencesIn } from './describe.ts'

/** Publications as events would carry them now, by id; those that are gone are left out. */
export const describePublications = async (
  context: Pick<Context, 'db' | 'remember'>,
  environmentId: string,
  ids: string[],
): Promise<Map<string, object>> => {
  const { db } = context
  const { rows } = await sql<PublicationRow>`select * from publications
    where environment_id = ${environmentId} and id = any(${ids}::text[])`.execute(db)
  const [stored, structure] = await Promise.all([loadMany(db, rows), structureOf(context, environmentId)])
  const references = await loadReferences(
    db,
    { environment_id: environmentId },
    stored.flatMap(({ publication }) => referencesIn(publication)),
  )
  return new Map(
    stored.map(({ row, publication }) => [
      row.id,
      describePublication(row, publication, structure, references),
    ]),
  )
}
