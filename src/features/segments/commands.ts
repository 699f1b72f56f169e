import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import { json } from '../../database/json.ts'
import {
  deleteRecord,
  type Expected,
  insertRecord,
  lockRecord,
  updateRecord,
} from '../../database/records.ts'
import type { Problem } from '../../database/values.ts'
import { conflict, Invalid } from '../../errors.ts'
import { emit } from '../../events.ts'
import { isObject } from '../../objects.ts'
import type { Actor } from '../access/authenticate.ts'
import { presentSegment } from './present.ts'
import { findSegment } from './queries.ts'
import { edgesOf, normalRules, readRules } from './rules.ts'
import type { SegmentBody, SegmentChanges } from './schema.ts'
import type { Rules, SegmentRow } from './table.ts'

/** Each change of a person is held against all of them. */
const maxSegments = 1000

type Read = { rules: Rules; edges: string[] }

const read = (sent: unknown): Read => {
  const problems: Problem[] = []
  const group = readRules(sent, problems)
  if (problems.length > 0) throw new Invalid(problems)
  return { rules: normalRules(sent as Partial<Rules>), edges: edgesOf(group) }
}

/** Rules of a body whose schema is not fulfilled elsewhere either. */
export const faultsInRules = async (_actor: Actor, body: object): Promise<Problem[]> => {
  const problems: Problem[] = []
  const { rules } = (body ?? {}) as { rules?: unknown }
  if (isObject(rules)) readRules(rules, problems)
  return problems
}

export const createSegment = async (
  tx: Tx,
  actor: Actor,
  { body, rules = {} }: SegmentBody,
): Promise<SegmentRow> => {
  const { rules: normal, edges } = read(rules)
  await checkRoom(tx, actor)
  await beginSweeping(tx, actor, edges)
  const { id } = await insertRecord(tx, 'segments', actor, { body, rules: normal, edges })
  const row = await findSegment(tx, actor.environment_id, id)
  await emit(tx, actor, 'segment.created', row, presentSegment(row))
  return row
}

/** One after the other, each counting behind the one before. */
const checkRoom = async (tx: Tx, { environment_id }: Actor): Promise<void> => {
  const [, { rows }] = await Promise.all([
    sql`select pg_advisory_xact_lock(hashtextextended(${`room for segments ${environment_id}`}, 0))`.execute(
      tx,
    ),
    sql<{ count: number }>`select count(*)::integer as count from segments
      where environment_id = ${environment_id}`.execute(tx),
  ])
  if (rows[0]!.count >= maxSegments)
    throw conflict('body', `an environment has at most ${maxSegments} segments`)
}

/** From now on, unless others of the environment are swept already. */
const beginSweeping = async (tx: Tx, { environment_id }: Actor, edges: string[]): Promise<void> => {
  if (edges.length === 0) return
  await sql`insert into segment_sweeps (environment_id, swept_on, day)
    select id, now(), (now() at time zone time_zone)::date from environments where id = ${environment_id}
    on conflict do nothing`.execute(tx)
}

export const changeSegment = async (
  tx: Tx,
  actor: Actor,
  id: string,
  { body, rules }: SegmentChanges,
  expected: Expected,
): Promise<SegmentRow> => {
  const changed = rules === undefined ? undefined : read(rules)
  const before = await lockRecord(tx, 'segments', 'Segment', actor, id, expected)
  const isNew = changed !== undefined && !isDeepStrictEqual(changed.rules, before.rules)
  if (isNew) await beginSweeping(tx, actor, changed.edges)
  const anew = isNew && { rules: json(changed.rules), edges: changed.edges, status: 'pending', position: 0 }
  const after = await updateRecord(tx, 'segments', actor, before, { body, ...anew })
  const row = await findSegment(tx, actor.environment_id, id)
  if (after !== before) await emit(tx, actor, 'segment.changed', row, presentSegment(row))
  return row
}

/** Its members go by a job, little by little. */
export const deleteSegment = async (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<void> => {
  const record = await lockRecord(tx, 'segments', 'Segment', actor, id, expected)
  const row = await findSegment(tx, actor.environment_id, id)
  await deleteRecord(tx, 'segments', actor, record)
  await emit(tx, actor, 'segment.deleted', row, presentSegment(row))
}
