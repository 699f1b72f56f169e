import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { type FieldError, Invalid, invalid } from '../../../errors.ts'
import { emitMany } from '../../../events.ts'
import type { Actor } from '../../access/authenticate.ts'
import { faultsOf } from '../../imports/faults.ts'
import { noteNames, seenNames } from '../../imports/seen.ts'
import type { FileRow, ImportRow, Outcome } from '../../imports/table.ts'
import type { TimelineRow } from '../table.ts'
import { lookUpNamed, type Named, valuesOf } from '../timelines/commands.ts'
import { presentTimeline } from '../timelines/present.ts'
import type { TimelineBody } from '../timelines/schema.ts'
import { readTimes } from '../timelines/times.ts'

type TimelineRowBody = TimelineBody & { id?: string }

/**
 * When each row of a log begins and ends, told in the order of the file: where clocks show an hour twice, what follows
 * something of the second time is of the second time, too.
 */
export const timesInOrder = ({ environment }: Actor) => {
  const last = new Map<string, number>()
  return (body: TimelineRowBody): FieldError[] => {
    const { timecode, from, until, duration, published_on, unpublish_on } = body
    const says = [timecode, from, until, duration, published_on, unpublish_on].some(
      (one) => one !== undefined,
    )
    if (body.id !== undefined && !says) return []
    const faults: FieldError[] = []
    const channel = body.channel_id ?? ''
    const times = readTimes(environment, body, undefined, faults, last.get(channel))
    if (!times) return faults
    last.set(channel, times.published_on.getTime())
    for (const name of ['timecode', 'from', 'until', 'duration'] as const) delete body[name]
    body.published_on = times.published_on.getTime() / 1000
    body.unpublish_on = times.unpublish_on.getTime() / 1000
    return []
  }
}

type Saving = { before: TimelineRow | null; after: TimelineRow }

/** An entry is found by its id or by when it begins on its channel: a log that is sent again changes what it says anew. */
export const applyTimelines = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  order: ImportRow,
  rows: FileRow[],
): Promise<Outcome> => {
  const failed = rows.flatMap(({ number, faults }) => (faults ? [{ number, faults }] : []))
  const outcome: Outcome = { created: 0, updated: 0, failed }
  const sent = rows.flatMap(({ number, body }) => (body ? [{ number, body: body as TimelineRowBody }] : []))
  const bodies = sent.map(({ body }) => body)
  const named = await lookUpNamed(tx, actor.environment_id, bodies)
  const savings = new Map<string, Saving>()
  const known = await findKnown(tx, actor, bodies)
  const seen = order.dry_run
    ? await seenNames(tx, context.keys, order, bodies.map(placeOf))
    : new Set<string>()
  const made: string[] = []
  for (const { number, body } of sent)
    try {
      const before = targetOf(body, known, order)
      const after = applied(actor, body, before, named)
      const isThere = before !== null || seen.has(placeOf(after))
      outcome[isThere ? 'updated' : 'created'] += 1
      if (!isThere) made.push(placeOf(after))
      savings.set(after.id, {
        before: savings.get(after.id)?.before ?? (before?.version ? before : null),
        after,
      })
      known.set(placeOf(after), after).set(after.id, after)
    } catch (error) {
      failed.push({ number, faults: faultsOf(error) })
    }
  if (order.dry_run) await noteNames(tx, context.keys, order, made)
  else await save(tx, actor, [...savings.values()])
  return outcome
}

const placeOf = ({
  channel_id,
  published_on,
}: Pick<TimelineRowBody, 'channel_id'> & { published_on?: unknown }): string => {
  const time = published_on instanceof Date ? published_on.getTime() / 1000 : published_on
  return `${channel_id ?? ''} ${time}`
}

const findKnown = async (
  tx: Tx,
  actor: Actor,
  bodies: TimelineRowBody[],
): Promise<Map<string, TimelineRow>> => {
  const { environment_id } = actor
  const times = bodies.flatMap(({ published_on }) =>
    published_on === undefined ? [] : [Number(published_on)],
  )
  const { rows } = await sql<TimelineRow>`select * from timelines where environment_id = ${environment_id}
    and (id = any(${bodies.flatMap(({ id }) => id ?? [])})
      or published_on = any(select to_timestamp(time) from unnest(${times}::double precision[]) as time))
    order by id desc for update`.execute(tx)
  return new Map(rows.flatMap((row) => [[placeOf(row), row] as const, [row.id, row] as const]))
}

const targetOf = (
  body: TimelineRowBody,
  known: Map<string, TimelineRow>,
  { match_by }: ImportRow,
): TimelineRow | null => {
  if (body.id === undefined && match_by) throw invalid('id', 'is needed, because rows are matched by it')
  if (body.id === undefined) return known.get(placeOf(body)) ?? null
  const found = known.get(body.id)
  if (!found) throw invalid('id', 'is not that of a timeline')
  return found
}

const applied = (
  actor: Actor,
  sent: TimelineRowBody,
  before: TimelineRow | null,
  named: Named,
): TimelineRow => {
  const faults: FieldError[] = []
  const values = valuesOf(sent, before ?? undefined, named, faults)
  if (faults.length > 0) throw new Invalid(faults)
  const times = {
    published_on:
      sent.published_on === undefined ? before!.published_on : new Date(Number(sent.published_on) * 1000),
    unpublish_on:
      sent.unpublish_on === undefined ? before!.unpublish_on : new Date(Number(sent.unpublish_on) * 1000),
  }
  return { ...(before ?? blank(actor)), ...values, ...times }
}

/** Its version tells that it is not stored yet. */
const blank = ({ environment_id, user_id }: Actor): TimelineRow =>
  ({
    environment_id,
    id: randomUUIDv7(),
    created_by: user_id,
    updated_by: null,
    version: 0,
    created_on: new Date(),
    changed_on: null,
  }) as TimelineRow

const save = async (tx: Tx, actor: Actor, savings: Saving[]): Promise<void> => {
  const made = savings.filter(({ before }) => !before).map(({ after }) => ({ ...after, version: 1 }))
  const changed = savings
    .filter(({ before, after }) => before && !isDeepStrictEqual(before, after))
    .map(({ after }) => ({
      ...after,
      version: after.version + 1,
      changed_on: new Date(),
      updated_by: actor.user_id,
    }))
  const sent = (rows: TimelineRow[]) =>
    sql`jsonb_populate_recordset(null::timelines, ${JSON.stringify(rows)}::text::jsonb)`
  if (made.length > 0) await sql`insert into timelines select * from ${sent(made)}`.execute(tx)
  if (changed.length > 0)
    await sql`update timelines as row set (body, channel_id, track_id, published_on, unpublish_on, version, changed_on,
        updated_by) = (sent.body, sent.channel_id, sent.track_id, sent.published_on, sent.unpublish_on, sent.version,
        sent.changed_on, sent.updated_by)
      from ${sent(changed)} as sent where row.environment_id = sent.environment_id and row.id = sent.id`.execute(
      tx,
    )
  const shown = presentTimeline(actor.environment)
  await emitMany(tx, actor, 'timeline.created', made.map(shown))
  await emitMany(tx, actor, 'timeline.changed', changed.map(shown))
}
