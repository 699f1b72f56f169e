import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/connect.ts'
import type { MusicKind } from './kinds.ts'

export const duplicateMarks = ['isrc', 'reference_unique'] as const
export type DuplicateMark = (typeof duplicateMarks)[number]

/** What several records share, and which they are, the oldest first. */
type Duplicates = { by: DuplicateMark; mark: string; ids: string[] }

/** Records that are most likely the same, by what they share, in its order. */
export const findDuplicates = async (
  db: Db | Tx,
  kind: MusicKind,
  environmentId: string,
  by: DuplicateMark,
  { limit, skip }: { limit: number; skip: number },
): Promise<{ total: number; groups: Duplicates[] }> => {
  const marked =
    by === 'isrc'
      ? sql`select isrc as mark, track_id as id, created_on from track_isrcs link join tracks using (environment_id)
          where environment_id = ${environmentId} and tracks.id = link.track_id`
      : sql`select bare_reference(reference_unique) as mark, id, created_on from ${sql.table(kind.table)}
          where environment_id = ${environmentId} and bare_reference(reference_unique) is not null`
  const { rows } = await sql<{ mark: string; ids: string[]; total: number }>`
    select mark, array_agg(id order by created_on, id) as ids, (count(*) over ())::integer as total
    from (${marked}) as marked group by mark having count(*) > 1
    order by mark limit ${limit} offset ${skip}`.execute(db)
  return { total: rows[0]?.total ?? 0, groups: rows.map(({ mark, ids }) => ({ by, mark, ids })) }
}
