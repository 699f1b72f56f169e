import { sql } from 'kysely'
import type { Context } from '../../context.ts'

/**
 * Removes what has run out: sessions, keys of repeated requests, counts of attempts, kept letters and tokens.
 * Tokens that people made stay for a while after their end, so that somebody can see what became of them.
 */
export const cleanUp = async ({ db, mail }: Context): Promise<void> => {
  await sql`delete from user_sessions where expires_on < now()`.execute(db)
  await sql`delete from person_sessions where expires_on < now()`.execute(db)
  await sql`delete from sign_in_requests where expires_on < now()`.execute(db)
  await sql`delete from idempotency_keys where created_on < now() - interval '24 hours'`.execute(db)
  await sql`delete from rate_limits where window_start < now() - interval '1 day'`.execute(db)
  await sql`delete from tokens where kind in ('studio', 'application') and expires_on < now() - interval '1 day'
    and (refresh_expires_on is null or refresh_expires_on < now())`.execute(db)
  await sql`delete from tokens where least(revoked_on, expires_on) < now() - interval '90 days'
    and kind not in ('studio', 'application')`.execute(db)
  await sql`delete from tokens where kind = 'personal'
    and least(revoked_on, expires_on) < now() - interval '1 day'`.execute(db)
  await mail.discard(db, sql`created_on < now() - interval '30 days'`)
  // What goes without an event must not stay in remembered totals.
  await sql`select pg_notify('marquee', '{"changed":[["*","access"]]}')`.execute(db)
}
