import { eventually } from './access.ts'
import { startApp, type TestApp } from './app.ts'
import type { Listener } from './listener.ts'
import { made } from './records/kind.ts'

/** A service that may call this machine. */
export const startCalling = () => startApp({ MARQUEE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' })

type NewWebhook = { id: string; secret: string }

export const addWebhook = async (app: TestApp, { url }: { url: string }, more: object = {}) =>
  made(await app.post('/webhooks', { url, events: ['channel.created'], ...more })) as unknown as NewWebhook

/** Something that the webhooks of `addWebhook` are told of. */
export const makeEvent = async (app: TestApp, name = 'Radio') => made(await app.post('/channels', { name }))

/** The calls, once there are so many. */
export const called = (listener: Listener, times = 1) =>
  eventually(async () => listener.calls.length >= times && listener.calls, 10_000)

export type Delivery = {
  id: string
  message_id: string
  event: string
  source: string
  status: string
  attempts: number
  next_attempt_on: string
  attempted_on: string
  ended_on: string | null
  error: string | null
  response_status: number | null
}

export const deliveriesOf = async (app: TestApp, id: string, query = ''): Promise<Delivery[]> =>
  (await app.get(`/webhooks/${id}/deliveries?${query}`)).body.items

/** A delivery of a webhook, once there is such a one. */
export const deliveryWhen = (app: TestApp, id: string, isSo: (delivery: Delivery) => boolean) =>
  eventually(async () => (await deliveriesOf(app, id)).find(isSo), 10_000)

/** As if the time had come for what waits. */
export const hasten = (app: TestApp, id: string) =>
  app.sql`update webhook_deliveries set next_attempt_on = now() where webhook_id = ${id} and status = 'pending'`

/** Until everything that has happened is planned: what comes to be now is told of nothing before it. */
export const untilPlanned = (app: TestApp) =>
  eventually(async () => {
    const [row] = await app.sql<
      { done: boolean }[]
    >`select sequence = last and not exists (select 1 from outbox)
      as done from webhook_position, event_sequence`
    return row!.done
  }, 10_000)
