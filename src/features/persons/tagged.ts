import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'

/** As many as are folded in one step. */
const perDelta = 5000

/** Tells those who group persons that a tag, which is locked, is about to go, for all who carry it. */
export const announceTagged = async (tx: Tx, environmentId: string, tagId: string): Promise<void> => {
  await sql`insert into audience_deltas (environment_id, persons)
    select ${environmentId}, array_agg(person_key) from (
      select person_key, (row_number() over ()) / ${sql.lit(perDelta)} as part from person_tags
      where environment_id = ${environmentId} and tag_id = ${tagId}) as tagged
    group by part`.execute(tx)
}
