import type { Context } from '../../context.ts'
import { findRecord } from '../../database/records.ts'
import { type FieldError, InsufficientScope, Invalid } from '../../errors.ts'
import { emittedName, offeredEvents } from '../../events.ts'
import { isObject } from '../../objects.ts'
import type { Actor } from '../access/authenticate.ts'
import { isOfPublication, missingScopes } from '../events-stream/names.ts'
import { empties } from '../publications/bulk/asked.ts'
import { compilePublicationFilter, type PublicationFilter } from '../publications/list/compile.ts'
import { type Headers, headerFaults } from './headers.ts'
import type { WebhookRow } from './table.ts'

/** What a webhook is to be; of a change, what is not sent stays. */
export type Wanted = {
  url?: string
  events?: string[]
  filter?: Record<string, unknown> | null
  headers?: Headers | null
}

type Reads = Pick<Context, 'db' | 'remember'>

/** Everything that is wrong with it, whatever the form of its parts. */
export const webhookFaults = async (
  context: Reads,
  { environment }: Pick<Actor, 'environment'>,
  sent: Wanted,
  before?: WebhookRow,
): Promise<FieldError[]> => {
  const filter = sent.filter === undefined ? before?.filter : sent.filter
  const events = sent.events ?? before?.events ?? []
  return [
    ...urlFaults(sent.url),
    ...headerFaults(sent.headers, before?.headers ?? {}),
    ...(filter && !events.map(emittedName).every(isOfPublication)
      ? [{ path: 'filter', message: 'is only for events of publications' }]
      : []),
    ...(sent.filter ? await filterFaults(context, environment, sent.filter) : []),
  ]
}

/** The same of a body whose schema refuses it: of its parts those that have the right form. */
export const formFaults = async (
  context: Reads,
  actor: Actor,
  body: object,
  id?: string,
): Promise<FieldError[]> => {
  const { url, events, filter, headers } = (body ?? {}) as Record<string, unknown>
  const texts = isObject(headers) && Object.values(headers).every((value) => typeof value === 'string')
  const sent: Wanted = {
    ...(typeof url === 'string' && url.trim() !== '' && { url }),
    ...(Array.isArray(events) && { events: events.filter((name) => offeredEvents.includes(name)) }),
    ...(isObject(filter) && { filter }),
    ...(texts && { headers: headers as Headers }),
  }
  const before = id === undefined ? undefined : await findOwn(context, actor, id)
  return webhookFaults(context, actor, sent, before)
}

const findOwn = ({ db }: Reads, { environment_id }: Actor, id: string): Promise<WebhookRow> =>
  findRecord(db, 'webhooks', 'Webhook', environment_id, id)

/** Nobody is told by a webhook what the token could not read. */
export const requireScopes = ({ token }: Actor, events: string[]): void => {
  const missing = missingScopes(events.map(emittedName), token.scopes)
  if (missing.length > 0) throw new InsufficientScope(missing)
}

const urlFaults = (url: string | undefined): FieldError[] => {
  if (url === undefined) return []
  const fault = (message: string): FieldError[] => [{ path: 'url', message }]
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return fault('must be an address with http or https')
  return parsed.username || parsed.password ? fault('must not hold credentials; use headers') : []
}

const filterFaults = async (
  context: Reads,
  environment: Actor['environment'],
  filter: Record<string, unknown>,
): Promise<FieldError[]> => {
  const empty = Object.keys(filter).flatMap((name) => empties(filter[name], `filter.${name}`))
  if (empty.length > 0) return empty
  try {
    await compileWebhookFilter(context, environment, filter)
    return []
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return (error.errors ?? []).map(({ path, message }) => ({ path: `filter.${path}`, message }))
  }
}

/** The filter of a webhook as a list would take it. Webhooks are told of everything, published or not. */
export const compileWebhookFilter = (
  context: Reads,
  environment: Actor['environment'],
  { locale, ...filter }: Record<string, unknown>,
): Promise<PublicationFilter> => {
  if (locale !== undefined && typeof locale !== 'string')
    throw new Invalid([{ path: 'locale', message: 'must be a single value' }])
  return compilePublicationFilter(context, { environment, visibility: 'all', locale }, filter)
}
