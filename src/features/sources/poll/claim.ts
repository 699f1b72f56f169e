import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import type { Due } from '../connect/polling.ts'

/** Long enough for a poll and to write down what it came to; after it whoever was killed is thought dead. */
const claimSeconds = 60

/**
 * Takes what is due, the longest due first, for a while during which nobody else takes it; nothing of hosts that are
 * being asked enough already.
 */
export const claimStatement = (most: number, busyHosts: string[]): RawBuilder<Due> => sql<Due>`
  with due as materialized (
    select environment_id, id from source_polls
    where next_fetch_on <= now() and host <> all (${busyHosts}::text[])
    order by next_fetch_on limit ${most} for update skip locked
  )
  update source_polls as poll set next_fetch_on = now() + make_interval(secs => ${claimSeconds})
  from due join sources as source using (environment_id, id)
  where poll.environment_id = due.environment_id and poll.id = due.id
  returning poll.environment_id, poll.id, poll.host, poll.interval, poll.frequency, poll.failed, poll.last_import,
    poll.address, poll.etag, poll.last_modified, poll.content_hash, poll.cursor, poll.seen, poll.generation,
    source.label, source.url, source.active, source.fixed_interval, source.username, source.password,
    source.account_id, source.screen_name, source.body`

export const claimDue = async (db: Db, most: number, busyHosts: string[]): Promise<Due[]> =>
  (await claimStatement(most, busyHosts).execute(db)).rows

/** Gives back what was not asked. */
export const release = async (db: Db, due: Due[]): Promise<void> => {
  if (due.length === 0) return
  await sql`update source_polls as poll set next_fetch_on = now()
    from unnest(${due.map((one) => one.environment_id)}::text[], ${due.map(({ id }) => id)}::text[])
      as one (environment_id, id)
    where poll.environment_id = one.environment_id and poll.id = one.id and next_fetch_on is not null`.execute(
    db,
  )
}
