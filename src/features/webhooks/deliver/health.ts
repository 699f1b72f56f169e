import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { WebhookRow } from '../table.ts'
import type { Logged } from './log.ts'
import { switchOff } from './switch-off.ts'

const patience = "interval '5 days'"
const gone = 410

type Key = Pick<WebhookRow, 'environment_id' | 'id'>
type Answered = Key & { delivered: boolean; gone: boolean }

/** Notes since when webhooks have only failed, and switches off those that want no more or have failed for too long. */
export const judgeWebhooks = async (context: Context, logged: Logged[]): Promise<void> => {
  const answered = answersOf(logged)
  await noteFailing(context, answered)
  for (const webhook of answered.filter((one) => one.gone))
    await switchOff(context, webhook, 'It answered 410 Gone.')
  const failing = answered.filter(({ delivered, gone }) => !delivered && !gone)
  for (const webhook of await failingTooLong(context, failing))
    await switchOff(context, webhook, 'For five days every call failed.')
}

/** By webhook, always in the same order, so that two nodes never wait for each other. */
const answersOf = (logged: Logged[]): Answered[] =>
  [...Map.groupBy(logged, ({ claimed }) => claimed.webhook.id)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, own]) => ({
      id,
      environment_id: own[0]!.claimed.webhook.environment_id,
      delivered: own.some(({ outcome }) => outcome.delivered),
      gone: own.some(({ outcome }) => outcome.status === gone),
    }))

const keys = (webhooks: Key[]) =>
  sql`${webhooks.map((one) => one.environment_id)}::text[], ${webhooks.map(({ id }) => id)}::text[]`

/** The version stays: nobody changed the webhook. */
const noteFailing = async ({ db }: Context, answered: Answered[]): Promise<void> => {
  await sql`update webhooks set failing_since = case when made.delivered then null else now() end
    from unnest(${keys(answered)}, ${answered.map(({ delivered }) => delivered)}::boolean[])
      as made (environment_id, id, delivered)
    where webhooks.environment_id = made.environment_id and webhooks.id = made.id
      and (failing_since is null) = not made.delivered`.execute(db)
}

const failingTooLong = async ({ db }: Context, failing: Answered[]): Promise<Key[]> => {
  if (failing.length === 0) return []
  const { rows } = await sql<Key>`select environment_id, id from webhooks
    join unnest(${keys(failing)}) as made (environment_id, id) using (environment_id, id)
    where active and failing_since < now() - ${sql.raw(patience)}`.execute(db)
  return rows
}
