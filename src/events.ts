import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from './database/connect.ts'
import { executeWithCommit } from './database/driver.ts'
import { originOf, outdateTokens, touch } from './database/transaction.ts'
import type { Family } from './database/versions.ts'
import type { StoredMatch } from './features/publications/match.ts'

type Declared = {
  family: Family
  label: string
  /** Never offered to webhooks and streams. */
  internal?: true
}

const lifecycle = (label: string, name: string, family: Family, internal?: true) =>
  Object.fromEntries(
    ['created', 'changed', 'deleted'].map((verb) => [`${name}.${verb}`, { family, label, internal }]),
  )

/** Shared by those who carry events from one table to another; whoever has it alone finds none on their way. */
const wayLock = 7_236_519

/** Waits in turn for who stops the way of events, which takes no longer than an erasure. */
export const keepToWay = async (tx: Tx): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(${wayLock})`.execute(tx)
}

/** Stops the way from the outbox to events and deliveries until the commit. */
export const stopWay = async (tx: Tx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${wayLock})`.execute(tx)
}

/** Every event name there is. `internal` ones stand in the audit log only. */
export const eventCatalogue: Record<string, Declared> = {
  ...lifecycle('Channel', 'channel', 'content'),
  ...lifecycle('Container', 'container', 'content'),
  ...lifecycle('Status', 'status', 'structure'),
  ...lifecycle('PublicationModel', 'publication_model', 'structure'),
  ...lifecycle('Publication', 'publication', 'content'),
  'publication.published': { family: 'content', label: 'Publication' },
  'publication.unpublished': { family: 'content', label: 'Publication' },
  ...lifecycle('Remark', 'remark', 'content', true),
  ...lifecycle('BulkOperation', 'bulk_operation', 'access', true),
  ...lifecycle('PersonImport', 'person_import', 'access', true),
  ...lifecycle('ArtistImport', 'artist_import', 'access', true),
  ...lifecycle('TrackImport', 'track_import', 'access', true),
  ...lifecycle('TimelineImport', 'timeline_import', 'access', true),
  ...lifecycle('Artist', 'artist', 'music'),
  ...lifecycle('Track', 'track', 'music'),
  ...lifecycle('Timeline', 'timeline', 'music'),
  ...lifecycle('Tag', 'tag', 'content'),
  ...lifecycle('Configuration', 'configuration', 'content'),
  ...lifecycle('Asset', 'asset', 'content'),
  ...lifecycle('Person', 'person', 'audience'),
  'person.anonymized': { family: 'audience', label: 'Person' },
  'person.liked': { family: 'audience', label: 'Person' },
  'person.subscribed': { family: 'audience', label: 'Person' },
  'person.unliked': { family: 'audience', label: 'Person' },
  'person.unsubscribed': { family: 'audience', label: 'Person' },
  'person.segment.added': { family: 'segments', label: 'Person' },
  'person.segment.removed': { family: 'segments', label: 'Person' },
  ...lifecycle('Segment', 'segment', 'segments'),
  ...lifecycle('Recommendation', 'recommendation', 'structure'),
  'recommendation.gave_way': { family: 'structure', label: 'Recommendation' },
  ...lifecycle('Comment', 'comment', 'messages'),
  ...lifecycle('Message', 'message', 'messages'),
  ...lifecycle('Source', 'source', 'sources'),
  ...lifecycle('Webhook', 'webhook', 'access', true),
  'webhook.switched_off': { family: 'access', label: 'Webhook', internal: true },
  'webhook_replay.created': { family: 'access', label: 'WebhookReplay', internal: true },
  'organisation.created': { family: 'access', label: 'Organisation', internal: true },
  ...lifecycle('Environment', 'environment', 'access', true),
  ...lifecycle('User', 'user', 'access', true),
  ...lifecycle('Invitation', 'invitation', 'access', true),
  ...lifecycle('Application', 'application', 'access', true),
  ...lifecycle('Session', 'session', 'access', true),
  ...lifecycle('EmailTemplate', 'email_template', 'access', true),
  ...lifecycle('View', 'view', 'access', true),
  'sign_in_request.created': { family: 'access', label: 'SignInRequest', internal: true },
  ...lifecycle('Token', 'token', 'access', true),
  'token.renewed': { family: 'access', label: 'Token', internal: true },
  'token.revoked': { family: 'access', label: 'Token', internal: true },
  'job.retried': { family: 'access', label: 'Job', internal: true },
  'invitation.accepted': { family: 'access', label: 'Invitation', internal: true },
}

/** Names that a registration may use for one that is emitted. */
const aliases: Record<string, string> = { 'publication.updated': 'publication.changed' }

/** The name under which an event is emitted. */
export const emittedName = (name: string): string => (Object.hasOwn(aliases, name) ? aliases[name]! : name)

/** What a registration may name. */
export const offeredEvents: readonly string[] = [
  ...Object.keys(eventCatalogue).filter((name) => !eventCatalogue[name]!.internal),
  ...Object.keys(aliases),
]

/**
 * The parts of the data that an event changes. Publications show their statuses, and what of their items is shown is
 * told by the model; persons and music lose a tag that is deleted, and timelines show their channel.
 */
export const familiesOf = (event: string): Family[] => {
  const family = eventCatalogue[event]?.family
  if (!family) return []
  if (family === 'structure') return [family, 'content']
  if (event === 'tag.changed' || event === 'tag.deleted') return [family, 'audience', 'music']
  return event === 'channel.changed' || event === 'channel.deleted' ? [family, 'music'] : [family]
}

/** What is new was not known before; only what changes or ends can be remembered wrongly. */
const outdating = /^(token|session|user|environment|application)\.(changed|revoked|deleted)$/

/** Who did it, as the audit log and webhooks show it. */
export type Performer = {
  organisation_id: string
  environment_id: string | null
  token_id: string | null
  user_id: string | null
}

/**
 * Puts an event into the outbox, inside the transaction that makes the change true. The snapshot is what a
 * reader of the record would see; it never holds a secret. `match` is a publication as filters see it.
 */
export const emit = async (
  tx: Tx,
  by: Performer,
  event: string,
  record: { id: string },
  snapshot: unknown = record,
  match: StoredMatch | null = null,
): Promise<void> => {
  const declared = eventCatalogue[event]
  if (!declared) throw new Error(`the event ${event} is not in the catalogue`)
  const where = by.environment_id ?? by.organisation_id
  for (const family of familiesOf(event)) touch(tx, where, family, record.id)
  if (declared.family === 'access') touch(tx, by.organisation_id, 'access', record.id)
  if (outdating.test(event)) outdateTokens(tx)
  await executeWithCommit(tx, insertEvent, [
    randomUUIDv7(),
    by.organisation_id,
    by.environment_id,
    event,
    declared.label,
    record.id,
    JSON.stringify(snapshot),
    JSON.stringify({ token_id: by.token_id, user_id: by.user_id }),
    originOf(tx),
    match && JSON.stringify(match),
  ])
}

const insertEvent = `insert into outbox
  (event_id, organisation_id, environment_id, event, label, record_id, snapshot, performed_by, origin, match)
  values ($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8::text::jsonb, $9, $10::text::jsonb)`

/** As `emit`, for many records of one kind at once, none of which is remembered by its id. */
export const emitMany = async (
  tx: Tx,
  by: Performer & { environment_id: string },
  event: string,
  records: readonly { id: string }[],
): Promise<void> => {
  const declared = eventCatalogue[event]
  if (!declared) throw new Error(`the event ${event} is not in the catalogue`)
  if (records.length === 0) return
  touch(tx, by.environment_id, declared.family, records[0]!.id)
  await executeWithCommit(tx, insertEvents, [
    records.map(() => randomUUIDv7()),
    by.organisation_id,
    by.environment_id,
    event,
    declared.label,
    records.map(({ id }) => id),
    records.map((record) => JSON.stringify(record)),
    JSON.stringify({ token_id: by.token_id, user_id: by.user_id }),
    originOf(tx),
  ])
}

const insertEvents = `insert into outbox
  (event_id, organisation_id, environment_id, event, label, record_id, snapshot, performed_by, origin)
  select new.event_id, $2, $3, $4, $5, new.record_id, new.snapshot::jsonb, $8::text::jsonb, $9
  from unnest($1::text[], $6::text[], $7::text[]) as new (event_id, record_id, snapshot)`
