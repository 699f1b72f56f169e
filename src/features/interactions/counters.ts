import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'

/** How often each label was recorded with these publications; a label that was not is left out. */
export const countsOf = async (
  db: Db,
  environmentId: string,
  publicationIds: string[],
): Promise<Map<string, Record<string, number>>> => {
  const { rows } = await sql<{ publication_id: string; label: string; count: string }>`
    select publication_id, label, count from publication_counters
    where environment_id = ${environmentId} and publication_id = any(${publicationIds}::text[]) and count > 0
    order by label`.execute(db)
  const counts = new Map<string, Record<string, number>>(publicationIds.map((id) => [id, {}]))
  for (const { publication_id, label, count } of rows) counts.get(publication_id)![label] = Number(count)
  return counts
}
