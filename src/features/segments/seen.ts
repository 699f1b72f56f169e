import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'

type Segment = { id: string; last_seen: Date | null }

/** To the minute: somebody is seen all the time, and the row of a segment is not to be written as often. */
const precision = 60_000

/** Notes when members of segments were seen last; `seen` stands beside the segments. Once in a transaction. */
export const seeMembers = async (
  tx: Tx,
  environmentId: string,
  segments: readonly Segment[],
  seen: readonly (Date | null)[],
): Promise<void> => {
  const newer = segments.flatMap(({ id, last_seen }, index) => {
    const at = seen[index]
    return at && at.getTime() >= (last_seen?.getTime() ?? -Infinity) + precision ? [{ id, at }] : []
  })
  if (newer.length === 0) return
  const ids = newer.map(({ id }) => id)
  // In the order in which everybody takes them.
  await sql`with held as materialized (select id from segments
      where environment_id = ${environmentId} and id = any(${ids}::text[]) order by id for no key update)
    update segments set last_seen = greatest(last_seen, new.at)
    from unnest(${ids}::text[], ${newer.map(({ at }) => at)}::timestamptz[]) as new (id, at) join held using (id)
    where environment_id = ${environmentId} and segments.id = new.id`.execute(tx)
}
