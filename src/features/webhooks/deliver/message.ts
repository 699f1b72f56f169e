import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { describePublications } from '../../publications/present/describe-many.ts'
import { bodyText } from '../body.ts'
import { presentWebhook } from '../present.ts'
import type { WebhookRow } from '../table.ts'
import type { Due } from './claim.ts'

type Performer = { user_id: string | null; token_id: string | null }
/** The payload is JSON. */
type Content = { payload: string; performed_by: Performer; created_on?: Date }
type Reads = Pick<Context, 'db' | 'remember'>

const nobody: Performer = { user_id: null, token_id: null }

/**
 * The bodies of messages, in their order: the event as it happened, or the publication as it is where somebody asked
 * for a call. Undefined where there is nothing left to tell.
 */
export const messagesOf = async (
  context: Reads,
  deliveries: { delivery: Due; webhook: WebhookRow }[],
): Promise<(string | undefined)[]> => {
  const all = deliveries.map(({ delivery }) => delivery)
  const [events, publications] = await Promise.all([
    eventContents(context, all),
    publicationContents(context, all),
  ])
  return deliveries.map(({ delivery, webhook }) => {
    const { sequence, record_id, environment_id, created_on } = delivery
    const content =
      sequence !== null
        ? events.get(sequence)
        : record_id !== null
          ? publications.get(`${environment_id} ${record_id} ${delivery.bulk_operation_id}`)
          : { payload: JSON.stringify(presentWebhook(webhook)), performed_by: nobody }
    const { event_id: id, event } = delivery
    return content && bodyText({ id, event, created_on, ...content }, content.payload)
  })
}

const eventContents = async ({ db }: Reads, deliveries: Due[]): Promise<Map<string, Content>> => {
  const sequences = new Set(deliveries.flatMap(({ sequence }) => sequence ?? []))
  if (sequences.size === 0) return new Map()
  const { rows } = await sql<{
    sequence: string
    snapshot: unknown
    performed_by: Performer
    created_on: Date
  }>`
    select sequence, snapshot, performed_by, created_on from events
    where sequence = any(${[...sequences]}::bigint[]) and snapshot is not null`.execute(db)
  return new Map(
    rows.map(({ sequence, snapshot, ...row }) => [sequence, { ...row, payload: JSON.stringify(snapshot) }]),
  )
}

const publicationContents = async (context: Reads, deliveries: Due[]) => {
  const asked = deliveries.filter(({ sequence, record_id }) => sequence === null && record_id !== null)
  const contents = new Map<string, Content>()
  if (asked.length === 0) return contents
  const performers = await performersOf(context, asked)
  for (const [environmentId, own] of Map.groupBy(asked, ({ environment_id }) => environment_id)) {
    const ids = [...new Set(own.map(({ record_id }) => record_id!))]
    const described = await describePublications(context, environmentId, ids)
    const payloads = new Map([...described].map(([id, body]) => [id, JSON.stringify(body)]))
    for (const { record_id, bulk_operation_id } of own) {
      const payload = payloads.get(record_id!)
      const performed_by = performers.get(bulk_operation_id ?? '') ?? nobody
      if (payload !== undefined)
        contents.set(`${environmentId} ${record_id} ${bulk_operation_id}`, { payload, performed_by })
    }
  }
  return contents
}

/** Who ordered the calls. */
const performersOf = async ({ db }: Reads, deliveries: Due[]): Promise<Map<string, Performer>> => {
  const ids = [...new Set(deliveries.flatMap(({ bulk_operation_id }) => bulk_operation_id ?? []))]
  if (ids.length === 0) return new Map()
  const environments = [...new Set(deliveries.map(({ environment_id }) => environment_id))]
  const { rows } = await sql<{
    id: string
    performed_by: Performer
  }>`select id, performed_by from bulk_operations
    where environment_id = any(${environments}::text[]) and id = any(${ids}::text[])`.execute(db)
  return new Map(rows.map(({ id, performed_by }) => [id, performed_by]))
}
