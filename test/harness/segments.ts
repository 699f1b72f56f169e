import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { eventually } from './access.ts'
import type { TestApp } from './app.ts'

type Person = { key: string }
type Rules = { match?: 'all' | 'any'; items: object }

/** A segment whose members have been worked out. */
export const addSegment = async (app: TestApp, rules: Rules, body = 'Some'): Promise<string> => {
  const made = await app.post('/segments', { body, rules })
  assert.equal(made.status, 201, made.text)
  await settled(app, made.body.id)
  return made.body.id
}

export const settled = (app: TestApp, id: string) =>
  eventually(async () => {
    const { body } = await app.get(`/segments/${id}`)
    return body.status === 'ready' && body
  }, 20_000)

/** As whoever writes persons tells that they have changed. */
export const touch = (app: TestApp, ...persons: Person[]) =>
  sql`insert into audience_deltas (environment_id, persons)
    values (${app.environment.id}, ${persons.map(({ key }) => key)}::bigint[])`.execute(app.context.db)

export const membersOf = async (app: TestApp, segment: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select row.id from segment_members member
    join persons row on row.environment_id = member.environment_id and row.key = member.person_key
    where member.environment_id = ${app.environment.id} and member.segment_id = ${segment}
    order by row.key`.execute(app.context.db)
  return rows.map(({ id }) => id)
}

/** Until nothing is left to be folded. */
export const folded = (app: TestApp) =>
  eventually(async () => {
    const { rows } =
      await sql`select 1 from audience_deltas where environment_id = ${app.environment.id}`.execute(
        app.context.db,
      )
    return rows.length === 0
  }, 20_000)

/** What was told of persons and a segment, in order. */
export const movesOf = async (app: TestApp, segment: string): Promise<[event: string, person: string][]> => {
  const { rows } = await sql<{ event: string; record_id: string }>`select event, record_id from (
      select event, record_id, snapshot, 1 as part, id as place from outbox
        where environment_id = ${app.environment.id}
      union all select event, record_id, snapshot, 0, sequence from events
        where environment_id = ${app.environment.id}) as told
    where event like 'person.segment.%' and snapshot->'segment'->>'id' = ${segment}
    order by part, place`.execute(app.context.db)
  return rows.map(({ event, record_id }) => [event.replace('person.segment.', ''), record_id])
}
