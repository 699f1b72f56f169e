import { sql } from 'kysely'
import type { Db, Tx } from '../database/connect.ts'
import type { Family } from '../database/versions.ts'
import { familiesOf, keepToWay } from '../events.ts'
import { jobsFor } from './tasks.ts'

const lock = 7_236_502
const batchSize = 500
const every = 200
/** Under load, commits of this long share one batch: a batch costs a commit of its own. */
const gather = 100
const heartbeat = 1000

export type DispatchedEvent = {
  sequence: string
  id: string
  organisation_id: string
  environment_id: string | null
  event: string
  record_id: string
  origin: string | null
  snapshot: string
}

/**
 * What the nodes are told: which families of which environments have changed, and by whom. Of everything that the
 * snapshot sees they have been told by now; a batch that left something behind has none.
 */
export type Notice = {
  changed: [environment: string, family: Family, origin: string | null][]
  snapshot?: string | undefined
}

/**
 * Moves committed outbox rows to `events`, in the order of their ids, and numbers them without gaps. Within a
 * record that is the order of commits, because a writer holds the record's lock before it takes an id. Every
 * node tries; the lock lets one in at a time, so a dead node needs no successor to be named.
 */
export const startDispatcher = (db: Db, onError: (error: unknown) => void) => {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let asked = false
  let stopped = false
  let beatAt = 0
  let endedAt = 0

  const batches = async (): Promise<void> => {
    const beat = performance.now() - beatAt >= heartbeat
    if (beat) beatAt = performance.now()
    while ((await dispatchBatch(db, beat)) === batchSize && !stopped);
  }
  const run = (): void => {
    asked = false
    running = batches()
      .catch(onError)
      .finally(() => {
        running = undefined
        endedAt = performance.now()
        if (!stopped) runIn(asked ? gather : every)
      })
  }
  const runIn = (delay: number): void => {
    clearTimeout(timer)
    timer = setTimeout(run, delay).unref()
  }
  run()
  return {
    wake(): void {
      asked = true
      if (!running && !stopped) runIn(Math.max(0, endedAt + gather - performance.now()))
    },
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

/** One batch in one transaction: numbers, jobs and one notice to the nodes. */
export const dispatchBatch = (db: Db, beat: boolean): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ mine: boolean; any: boolean; snapshot: string }>`
      select pg_try_advisory_xact_lock(${lock}) as mine, exists (select 1 from outbox) as any,
        pg_current_snapshot()::text as snapshot`.execute(tx)
    const { mine, any, snapshot } = rows[0]!
    if (!mine || !(any || beat)) return 0
    const events = any ? await move(tx) : []
    const seen = any ? events[0]?.snapshot : snapshot
    const jobs = events.flatMap((event) => jobsFor(event))
    if (jobs.length > 0) await addJobs(tx, jobs)
    const notice = noticeOf(events, events.length < batchSize ? seen : undefined)
    await sql`select pg_notify('marquee', ${JSON.stringify(notice)})`.execute(tx)
    return events.length
  })

const move = async (tx: Tx): Promise<DispatchedEvent[]> => {
  await keepToWay(tx)
  const { rows } = await sql<DispatchedEvent>`
    with moved as (
      delete from outbox where id in (select id from outbox order by id limit ${batchSize}) returning *
    ), counter as (
      update event_sequence set last = last + (select count(*) from moved) returning last
    ), numbered as (
      select (select last from counter) - (select count(*) from moved) + row_number() over (order by id) as sequence, *
      from moved
    ), stored as (
      insert into events (sequence, id, organisation_id, environment_id, event, label, record_id, snapshot,
        match, performed_by, created_on)
      select sequence, event_id, organisation_id, environment_id, event, label, record_id, snapshot,
        match, performed_by, created_on
      from numbered
    )
    select sequence, event_id as id, organisation_id, environment_id, event, record_id, origin,
      pg_current_snapshot()::text as snapshot from numbered`.execute(tx)
  return rows
}

export type NewJob = { task: string; payload: object; key?: string; maxAttempts?: number }

/** Of jobs with one key the last: PostgreSQL refuses to put the same row twice. */
const addJobs = async (tx: Tx, jobs: NewJob[]): Promise<void> => {
  const distinct = new Map(jobs.map((job, index) => [job.key ?? index, job]))
  const specs = [...distinct.values()].map(({ task, payload, key, maxAttempts }) => ({
    identifier: task,
    payload,
    job_key: key,
    max_attempts: maxAttempts,
  }))
  await sql`select graphile_worker.add_jobs(
    (select array_agg(spec) from jsonb_populate_recordset(null::graphile_worker.job_spec,
      ${JSON.stringify(specs)}::text::jsonb) spec))`.execute(tx)
}

/** Few entries however many events; too many are told as "everything". */
const noticeOf = (events: DispatchedEvent[], snapshot: string | undefined): Notice => {
  const changed = new Map<string, Notice['changed'][number]>()
  for (const { environment_id, organisation_id, event, origin } of events) {
    const add = (where: string, family: Family) =>
      changed.set(`${where} ${family} ${origin}`, [where, family, origin])
    const where = environment_id ?? organisation_id
    for (const family of familiesOf(event)) {
      add(where, family)
      if (family === 'access') add(organisation_id, family)
    }
  }
  return { changed: changed.size > 100 ? [['*', 'content', null]] : [...changed.values()], snapshot }
}
