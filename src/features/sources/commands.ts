import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import {
  deleteRecord,
  type Expected,
  insertUnlessTaken,
  lockRecord,
  updateRecord,
} from '../../database/records.ts'
import { Conflict, conflict, Invalid } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { sourceFaults } from './check.ts'
import { followedBy, isConnected, notConnected } from './labels.ts'
import { presentSource } from './present.ts'
import { findSource } from './queries.ts'
import type { SourceBody, SourceChanges } from './schema.ts'
import type { SourceRecord, SourceRow } from './table.ts'
import { readTarget } from './target.ts'

/** Until its items tell. */
const firstInterval = 1800

/** What a connector knows of an account or a hashtag. */
export type Known = { account_id?: string; name?: string; url?: string | null; picture?: string | null }

export const createSource = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  body: SourceBody,
  known: Known = {},
): Promise<SourceRecord> => {
  const faults = sourceFaults(body)
  const target = readTarget(context, body.label, body, faults)
  if (faults.length > 0 || !target) throw new Invalid(faults)
  const { host, ...followed } = target
  const { label, interval, adaptive, password, name: _name, ...rest } = body
  const fixed = adaptive === true ? null : (interval ?? (adaptive === false ? firstInterval : null))
  const by = followedBy[label]
  const row = await insertUnlessTaken(tx, 'sources', actor, {
    ...rest,
    ...known,
    ...followed,
    label,
    name: body.name ?? known.name ?? `${by === 'body' ? '#' : '@'}${followed[by]}`,
    fixed_interval: fixed,
    password: password ? context.keys.encrypt(password) : null,
  })
  if (!row) throw conflict(by, 'is followed already')
  await insertPoll(context, tx, row, host, fixed ?? interval ?? firstInterval)
  const record = await findSource(tx, actor.environment_id, row.id)
  await emit(tx, actor, 'source.created', record, presentSource(record))
  return record
}

const insertPoll = async (
  { config }: Context,
  tx: Tx,
  { environment_id, id, label, active }: SourceRow,
  host: string,
  interval: number,
): Promise<void> => {
  const error = isConnected(config, label) ? null : notConnected(label)
  await sql`insert into source_polls (environment_id, id, host, next_fetch_on, interval, error)
    values (${environment_id}, ${id}, ${host}, ${active ? sql`now()` : null}, ${interval}, ${error})`.execute(
    tx,
  )
}

/** The poll first: whoever writes down what polls came to holds it when the source is looked at. */
const lockSource = async (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<SourceRow> => {
  await sql`select 1 from source_polls where environment_id = ${actor.environment_id} and id = ${id}
    for update`.execute(tx)
  return lockRecord(tx, 'sources', 'Source', actor, id, expected)
}

export const changeSource = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  body: SourceChanges,
  expected: Expected,
): Promise<SourceRecord> => {
  const before = await lockSource(tx, actor, id, expected)
  const record = await findSource(tx, actor.environment_id, id)
  const faults = sourceFaults(body, before)
  const moved = body.url !== undefined && body.url !== before.url
  const followed = { screen_name: before.screen_name, body: before.body, url: body.url }
  const target = moved ? readTarget(context, before.label, followed, faults) : undefined
  if (faults.length > 0) throw new Invalid(faults)
  const { interval, adaptive, password, url: _url, ...rest } = body
  const { host, ...changed } = target ?? {}
  const row = await updateRecord(tx, 'sources', actor, before, {
    ...rest,
    ...changed,
    fixed_interval: fixedInterval(body, before, record),
    ...(password !== undefined && { password: password === null ? null : context.keys.encrypt(password) }),
  }).catch(takenUrl)
  if (row === before) return record
  await restart(tx, before, row, host)
  const after = await findSource(tx, actor.environment_id, id)
  await emit(tx, actor, 'source.changed', after, presentSource(after))
  return after
}

const takenUrl = (error: { code?: string }): never => {
  throw error.code === '23505' ? conflict('url', 'is followed already') : error
}

/** Undefined: as it was. */
const fixedInterval = (
  { interval, adaptive }: SourceChanges,
  before: SourceRow,
  record: SourceRecord,
): number | null | undefined => {
  if (adaptive === true) return null
  if (interval !== undefined) return interval
  return adaptive === false && before.fixed_interval === null ? record.interval : undefined
}

/** What leads elsewhere is asked from its beginning, and at once; so is what failed or rested. */
const restart = async (
  tx: Tx,
  before: SourceRow,
  row: SourceRow,
  host: string | undefined,
): Promise<void> => {
  const { environment_id, id, active, fixed_interval } = row
  const one = sql`environment_id = ${environment_id} and id = ${id}`
  const elsewhere = host !== undefined || row.username !== before.username || row.password !== before.password
  if (elsewhere)
    await sql`update source_polls set host = coalesce(${host ?? null}, host), address = null, etag = null,
      last_modified = null, content_hash = null, cursor = null, generation = generation + 1 where ${one}`.execute(
      tx,
    )
  if (!active) await sql`update source_polls set next_fetch_on = null where ${one}`.execute(tx)
  else if (elsewhere || !before.active)
    await sql`update source_polls set next_fetch_on = now(), failed = 0 where ${one}`.execute(tx)
  if (fixed_interval !== null)
    await sql`update source_polls set interval = ${fixed_interval},
      next_fetch_on = least(next_fetch_on, now() + make_interval(secs => ${fixed_interval})) where ${one}`.execute(
      tx,
    )
}

export const deleteSource = async (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<void> => {
  const row = await lockSource(tx, actor, id, expected)
  const record = await findSource(tx, actor.environment_id, id)
  await deleteRecord(tx, 'sources', actor, row)
  await emit(tx, actor, 'source.deleted', record, presentSource(record))
}

/** Has a source polled at once. */
export const fetchSource = async (
  { config }: Pick<Context, 'config'>,
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<SourceRecord> => {
  const { label, active } = await findSource(tx, actor.environment_id, id)
  if (!isConnected(config, label))
    throw new Conflict([{ path: 'label', message: notConnected(label) }], 'ConnectorNotConfigured')
  if (!active) throw conflict('active', 'is false: the source is not polled')
  await sql`update source_polls set next_fetch_on = now()
    where environment_id = ${actor.environment_id} and id = ${id}`.execute(tx)
  return findSource(tx, actor.environment_id, id)
}
