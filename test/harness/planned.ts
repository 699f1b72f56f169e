import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { TestApp } from './app.ts'
import type { Loose } from './publications.ts'
import { made } from './records/kind.ts'

/** Nothing listens there, and no name of this kind is ever given to anybody. */
export const nowhere = 'https://hooks.invalid/marquee'

export const registerWebhook = async (app: TestApp, body: object = {}): Promise<Loose> =>
  made(await app.post('/webhooks', { url: nowhere, events: ['publication.updated'], ...body }))

/** Until every event that was committed has been planned, by whichever planner runs. */
export const allPlanned = async (app: TestApp): Promise<void> => {
  for (const until = Date.now() + 30_000; Date.now() < until; await pause(20)) {
    const { rows } = await sql<{ done: boolean }>`select sequence = last
      and not exists (select 1 from outbox) as done from webhook_position, event_sequence`.execute(
      app.context.db,
    )
    if (rows[0]!.done) return
  }
  throw new Error('events are not planned')
}

type Planned = { webhook_id: string; event: string; record_id: string; event_id: string; sequence: string }

/** What was planned for a webhook, in the order of events. */
export const deliveriesOf = async (app: TestApp, webhookId: string): Promise<Planned[]> => {
  await allPlanned(app)
  const { rows } = await sql<Planned>`select webhook_id, event, record_id, event_id, sequence
    from webhook_deliveries where webhook_id = ${webhookId} order by sequence, id`.execute(app.context.db)
  return rows
}
