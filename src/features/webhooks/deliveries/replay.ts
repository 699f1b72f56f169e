import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Db, Tx } from '../../../database/connect.ts'
import { invalid, NotFound } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import type { Actor } from '../../access/authenticate.ts'
import type { StoredMatch } from '../../publications/match.ts'
import { type CompiledWebhook, compileWebhook, isWanted } from '../compile.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../table.ts'
import { checkActive } from './commands.ts'

/** As it is answered and kept with its event. */
type Replay = {
  id: string
  label: 'WebhookReplay'
  webhook: { id: string }
  from: string
  until: string
}

/** Orders that what happened from one moment to before another is sent again; the event of it brings the job. */
export const orderReplay = async (
  tx: Tx,
  actor: Actor,
  webhook: WebhookRow,
  from: string,
  until: string,
): Promise<Replay> => {
  checkActive(webhook)
  if (Date.parse(from) >= Date.parse(until)) throw invalid('from', 'must be before until')
  const replay: Replay = {
    id: randomUUIDv7(),
    label: 'WebhookReplay',
    webhook: { id: webhook.id },
    from,
    until,
  }
  await emit(tx, actor, 'webhook_replay.created', replay)
  return replay
}

/** It stands nowhere but in its event. */
export const findReplay = async (db: Db | Tx, environmentId: string, id: string): Promise<Replay> => {
  const { rows } = await sql<{ snapshot: Replay }>`
    select snapshot from events where environment_id = ${environmentId} and record_id = ${id}
    union all select snapshot from outbox where environment_id = ${environmentId} and record_id = ${id}`.execute(
    db,
  )
  if (!rows[0]) throw new NotFound('WebhookReplay', id)
  return rows[0].snapshot
}

const batch = 500

type Ordered = { environment_id: string; id: string }
type Happened = Pick<WebhookDeliveryRow, 'event' | 'record_id'> & {
  sequence: string
  id: string
  match: StoredMatch | null
}

/**
 * Queues a replay, some hundred events at a time. An id that follows from replay and event makes a second run after a
 * kill harmless.
 */
export const runReplay = async (context: Context, { environment_id, id }: Ordered): Promise<void> => {
  const replay = await findReplay(context.db, environment_id, id)
  const range = await sequencesOf(context.db, environment_id, replay)
  let compiled: CompiledWebhook | undefined
  for (let after = range.before; after < range.last; ) {
    const webhook = await activeWebhook(context.db, environment_id, replay.webhook.id)
    if (!webhook) return
    compiled ??= await compile(context, webhook)
    const events = await nextEvents(context.db, compiled, replay, environment_id, after, range.last)
    await queue(context.db, compiled, webhook, id, events)
    after = events.length < batch ? range.last : Number(events.at(-1)!.sequence)
  }
}

/** Numbers follow time closely but not exactly; the first and last of the time bound the walk. */
const sequencesOf = async (db: Db, environmentId: string, { from, until }: Replay) => {
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select min(sequence) as first, max(sequence) as last from events
    where environment_id = ${environmentId} and created_on >= ${from} and created_on < ${until}`.execute(db)
  return { before: Number(rows[0]!.first ?? 1) - 1, last: Number(rows[0]!.last ?? 0) }
}

const activeWebhook = async (db: Db, environmentId: string, id: string): Promise<WebhookRow | undefined> => {
  const { rows } = await sql<WebhookRow>`select * from webhooks
    where environment_id = ${environmentId} and id = ${id} and active`.execute(db)
  return rows[0]
}

const nextEvents = async (
  db: Db,
  { names }: CompiledWebhook,
  { from, until }: Replay,
  environmentId: string,
  after: number,
  last: number,
): Promise<Happened[]> => {
  const { rows } = await sql<Happened>`select sequence, id, event, record_id, match from events
    where environment_id = ${environmentId} and sequence > ${after} and sequence <= ${last}
      and created_on >= ${from} and created_on < ${until} and event = any(${[...names.keys()]}::text[])
      and snapshot is not null
    order by sequence limit ${batch}`.execute(db)
  return rows
}

const compile = async (context: Context, webhook: WebhookRow): Promise<CompiledWebhook> =>
  compileWebhook(context, (await context.tokens.environment(webhook.environment_id))!, webhook)

const queue = async (
  db: Db,
  compiled: CompiledWebhook,
  webhook: WebhookRow,
  replayId: string,
  happened: Happened[],
): Promise<void> => {
  const events = happened.filter((event) => isWanted(compiled, event))
  if (events.length === 0) return
  await sql`insert into webhook_deliveries
      (environment_id, id, webhook_id, event_id, sequence, event, record_id, source)
    select ${webhook.environment_id}, ${replayId} || '-' || sequence, ${webhook.id}, event_id, sequence, event,
      record_id, 'replay'
    from unnest(${events.map(({ sequence }) => sequence)}::bigint[], ${events.map(({ id }) => id)}::text[],
      ${events.map(({ event }) => compiled.names.get(event)!)}::text[], ${events.map(({ record_id }) => record_id)}::text[])
      as happened (sequence, event_id, event, record_id)
    on conflict do nothing`.execute(db)
}
