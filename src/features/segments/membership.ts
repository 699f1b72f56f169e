import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import { lockMembers, type Working } from './lock.ts'
import { type Move, moveMembers } from './members.ts'
import { storedCondition } from './rules.ts'
import { seeMembers } from './seen.ts'
import type { Rules } from './table.ts'

/** Persons looked at by one statement, and the segments that it holds them against. */
const mostPersons = 1000
const mostSegments = 50

export type StoredSegment = { id: string; body: string; rules: Rules; last_seen: Date | null }
type Judged = { key: string; last_seen: Date | null; matched: number[] }

/** Brings the membership of these persons in line with what they are now. */
export const refreshMembership = async (
  tx: Tx,
  environmentId: string,
  keys: string[],
  isSilent = false,
): Promise<void> => {
  if (keys.length === 0 || !(await hasSegments(tx, environmentId))) return
  const working = { ...(await lockMembers(tx, environmentId)), isSilent }
  const { rows } = await sql<StoredSegment>`select id, body, rules, last_seen from segments
    where environment_id = ${environmentId} order by id`.execute(tx)
  const seen = new Map<string, Date>()
  for (const segments of chunks(rows, mostSegments)) {
    const conditions = segments.map(({ rules }) => storedCondition(working, rules, 'facts'))
    for (const some of chunks(keys, mostPersons))
      noteSeen(seen, segments, await refreshSome(tx, working, segments, conditions, some))
  }
  const times = rows.map(({ id }) => seen.get(id) ?? null)
  await seeMembers(tx, environmentId, rows, times)
}

/** One that is made at this moment will be worked out whole. */
const hasSegments = async (tx: Tx, environmentId: string): Promise<boolean> => {
  const { rows } = await sql`select 1 from segments where environment_id = ${environmentId} limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

const refreshSome = async (
  tx: Tx,
  working: Working,
  segments: StoredSegment[],
  conditions: RawBuilder<unknown>[],
  keys: string[],
): Promise<Judged[]> => {
  const { id } = working.environment
  const each = conditions.map((condition, index) => sql`case when ${condition} then ${sql.lit(index)} end`)
  const [{ rows: judged }, { rows: members }] = await Promise.all([
    sql<Judged>`select facts.person_key as key, facts.last_seen,
        array_remove(array[${sql.join(each)}]::integer[], null) as matched
      from person_facts facts where facts.environment_id = ${id}
        and facts.person_key = any(${keys}::bigint[])`.execute(tx),
    sql<Move>`select segment_id as segment, person_key as key from segment_members
      where environment_id = ${id} and person_key = any(${keys}::bigint[])
        and segment_id = any(${segments.map((segment) => segment.id)}::text[])`.execute(tx),
  ])
  await moveMembers(tx, working, segments, differences(segments, judged, members))
  return judged
}

const differences = (segments: StoredSegment[], judged: Judged[], members: Move[]) => {
  const nameOf = ({ segment, key }: Move): string => `${segment} ${key}`
  const wanted = judged.flatMap(({ key, matched }) =>
    matched.map((index): Move => ({ segment: segments[index]!.id, key })),
  )
  const [is, was] = [new Set(wanted.map(nameOf)), new Set(members.map(nameOf))]
  return {
    added: wanted.filter((move) => !was.has(nameOf(move))),
    removed: members.filter((move) => !is.has(nameOf(move))),
  }
}

const noteSeen = (seen: Map<string, Date>, segments: StoredSegment[], judged: Judged[]): void => {
  for (const { last_seen, matched } of judged)
    for (const { id } of last_seen ? matched.map((index) => segments[index]!) : [])
      if (last_seen! > (seen.get(id) ?? 0)) seen.set(id, last_seen!)
}

const chunks = <T>(list: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size))
