import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import type { Claimed } from './claim.ts'
import { delayAfter } from './schedule.ts'
import type { Outcome } from './send.ts'

export type Logged = { claimed: Claimed; outcome: Outcome }

/** Milliseconds to the next attempt; null where there is none, as after a test, which is tried only once. */
const nextDelay = ({ delivery }: Claimed, { delivered }: Outcome): number | null =>
  delivered || delivery.source === 'test' ? null : (delayAfter(delivery.attempts + 1) ?? null)

/**
 * Writes down what became of attempts, in one statement. What was cancelled meanwhile stays so unless it arrived.
 * The answer of one that was about a person, or its words, and erased meanwhile is not kept.
 */
export const logAttempts = async (db: Db, logged: Logged[]): Promise<void> => {
  const of = <T>(pick: (one: Logged) => T): T[] => logged.map(pick)
  const delays = of(({ claimed, outcome }) => nextDelay(claimed, outcome))
  const statuses = of(({ outcome }) => outcome).map(({ delivered }, index) =>
    delivered ? 'delivered' : delays[index] === null ? 'failed' : 'pending',
  )
  await sql`update webhook_deliveries as row set status = made.status, attempts = row.attempts + 1,
      next_attempt_on = now() + made.delay * interval '1 millisecond', claimed_until = null,
      ended_on = case when made.delay is null then now() end, attempted_on = made.attempted_on,
      duration_ms = made.duration, request_headers = made.headers::jsonb, response_status = made.response,
      response_head = case when row.event ~ '^(person|message|comment|asset)\.' and row.record_id is null then null else made.head end,
      error = made.error
    from unnest(${of(({ claimed }) => claimed.delivery.environment_id)}::text[],
      ${of(({ claimed }) => claimed.delivery.id)}::text[], ${statuses}::text[], ${delays}::bigint[],
      ${of(({ outcome }) => outcome.attemptedOn)}::timestamptz[], ${of(({ outcome }) => outcome.duration)}::integer[],
      ${of(({ outcome }) => JSON.stringify(outcome.requestHeaders))}::text[],
      ${of(({ outcome }) => outcome.status)}::integer[], ${of(({ outcome }) => outcome.head)}::text[],
      ${of(({ outcome }) => outcome.error)}::text[])
      as made (environment_id, id, status, delay, attempted_on, duration, headers, response, head, error)
    where row.environment_id = made.environment_id and row.id = made.id
      and (row.status = 'pending' or row.status = 'cancelled' and made.status = 'delivered')`.execute(db)
}

/** Gathers what comes within a few milliseconds: a commit for each would cost more than the request. */
const gather = 20
const maxGathered = 200
const retryAfter = 500

/** `write` is tried until it is done, or until `keep` says that it is too late: what is then not known is sent again. */
export const attemptLog = (
  write: (logged: Logged[]) => Promise<void>,
  keep: (logged: Logged) => boolean,
  onError: (error: unknown) => void,
) => {
  const gathered: Logged[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  const writeAll = async (): Promise<void> => {
    const logged = gathered.splice(0, maxGathered)
    try {
      await write(logged)
    } catch (error) {
      onError(error)
      gathered.unshift(...logged.filter(keep))
      await new Promise((resolve) => setTimeout(resolve, retryAfter))
    }
  }
  const flush = (): void => {
    timer = undefined
    writing ??= writeAll().finally(() => {
      writing = undefined
      if (gathered.length > 0) plan()
    })
  }
  const plan = (): void => {
    if (gathered.length >= maxGathered) flush()
    else timer ??= setTimeout(flush, gather)
  }
  return {
    add(one: Logged): void {
      gathered.push(one)
      plan()
    },
    /** Resolves when everything is written down. After a few failures the claims are left to run out. */
    async end(): Promise<void> {
      for (let tries = 0; tries < 10 && (gathered.length > 0 || writing); tries += 1) {
        clearTimeout(timer)
        flush()
        await writing
      }
      clearTimeout(timer)
      gathered.length = 0
    },
  }
}
