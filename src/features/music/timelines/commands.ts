import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/connect.ts'
import {
  deleteRecord,
  type Expected,
  insertWhole,
  lockRecord,
  updateRecord,
} from '../../../database/records.ts'
import { type FieldError, Invalid } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import type { Actor } from '../../access/authenticate.ts'
import { type FoundTrack, findTracks, type TrackNames } from '../catalogue/find-tracks.ts'
import type { TimelineRow } from '../table.ts'
import { presentTimeline } from './present.ts'
import type { TimelineBody } from './schema.ts'
import { readTimes } from './times.ts'

type Values = Pick<TimelineRow, 'body' | 'channel_id' | 'track_id'>

export const namesIn = ({ track_id, track_reference, isrc }: TimelineBody): TrackNames => ({
  id: track_id,
  reference: track_reference,
  isrc,
})

/** What some bodies name, by two queries. */
export const lookUpNamed = async (db: Db | Tx, environmentId: string, bodies: readonly TimelineBody[]) => {
  const ids = bodies.flatMap(({ channel_id }) => channel_id ?? [])
  const { rows } =
    ids.length === 0
      ? { rows: [] }
      : await sql<{ id: string }>`select id from channels
          where environment_id = ${environmentId} and id = any(${[...new Set(ids)]})`.execute(db)
  return {
    channels: new Set(rows.map(({ id }) => id)),
    track: await findTracks(db, environmentId, bodies.map(namesIn)),
  }
}
export type Named = Awaited<ReturnType<typeof lookUpNamed>>

/** What is on air; a reference or an isrc that no track has is no fault, for a log must not be lost over it. */
export const valuesOf = (
  sent: TimelineBody,
  before: Values | undefined,
  { channels, track }: Named,
  faults: FieldError[],
): Values => {
  const named = Object.values(namesIn(sent)).some((name) => name !== undefined)
  const found = named ? track(namesIn(sent)) : undefined
  const keeps = sent.track_id !== undefined && sent.track_id === before?.track_id
  if (sent.track_id && !found && !keeps)
    faults.push({ path: 'track_id', message: 'is not a track of this environment' })
  if (sent.channel_id && !channels.has(sent.channel_id))
    faults.push({ path: 'channel_id', message: 'is not a channel of this environment' })
  const body = sent.body ?? before?.body ?? (found && titleOf(found))
  if (body === undefined) faults.push({ path: 'body', message: 'is needed where no track is known' })
  return {
    body: body ?? '',
    channel_id: sent.channel_id === undefined ? (before?.channel_id ?? null) : sent.channel_id,
    track_id: named ? (found?.id ?? (keeps ? sent.track_id! : null)) : (before?.track_id ?? null),
  }
}

const titleOf = ({ artist_text, body }: FoundTrack): string =>
  artist_text ? `${artist_text} - ${body}`.slice(0, 1000) : body

const applied = async (tx: Tx, actor: Actor, sent: TimelineBody, before?: TimelineRow) => {
  const faults: FieldError[] = []
  const times = readTimes(actor.environment, sent, before, faults)
  const named = await lookUpNamed(tx, actor.environment_id, [sent])
  const values = valuesOf(sent, before, named, faults)
  if (faults.length > 0) throw new Invalid(faults)
  return { ...values, ...times! }
}

export const createTimeline = async (tx: Tx, actor: Actor, body: TimelineBody): Promise<TimelineRow> => {
  const row = await insertWhole(tx, 'timelines', actor, await applied(tx, actor, body))
  await emit(tx, actor, 'timeline.created', row, presentTimeline(actor.environment)(row))
  return row
}

export const changeTimeline = async (
  tx: Tx,
  actor: Actor,
  id: string,
  body: TimelineBody,
  expected: Expected,
): Promise<TimelineRow> => {
  const before = await lockRecord(tx, 'timelines', 'Timeline', actor, id, expected)
  const row = await updateRecord(tx, 'timelines', actor, before, await applied(tx, actor, body, before))
  if (row !== before) await emit(tx, actor, 'timeline.changed', row, presentTimeline(actor.environment)(row))
  return row
}

export const deleteTimeline = async (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<void> => {
  const row = await lockRecord(tx, 'timelines', 'Timeline', actor, id, expected)
  await deleteRecord(tx, 'timelines', actor, row)
  await emit(tx, actor, 'timeline.deleted', row, presentTimeline(actor.environment)(row))
}
