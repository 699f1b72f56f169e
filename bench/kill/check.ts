import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../../src/database/session.ts'
import type { Write } from './load.ts'

export type Found = { lost: string[]; doubled: string[]; broken: string[] }

/** Holds what the clients were told against what is stored. */
export const check = async (sql: Session, writes: Write[]): Promise<Found> => {
  await untilDispatched(sql)
  const found: Found = { lost: [], doubled: [], broken: await brokenRules(sql) }
  for (const kind of ['channel', 'tag'] as const) await checkCreated(sql, kind, writes, found)
  await checkChanges(sql, writes, found)
  return found
}

const untilDispatched = async (sql: Session): Promise<void> => {
  const until = Date.now() + 20_000
  while (Date.now() < until) {
    const [row] = await sql<{ left: boolean }[]>`select exists (select 1 from outbox) as left`
    if (!row!.left) return
    await sleep(20)
  }
  throw new Error('the outbox was not emptied within 20 s')
}

const checkCreated = async (
  sql: Session,
  kind: 'channel' | 'tag',
  writes: Write[],
  found: Found,
): Promise<void> => {
  const [table, column] = kind === 'channel' ? ['channels', 'name'] : ['tags', 'body']
  const own = writes.filter((write) => write.kind === kind)
  const { rows } = await sql.client.query<{ id: string; name: string }>(
    `select id, ${column} as name from ${table} where ${column} = any($1)`,
    [own.map(({ name }) => name)],
  )
  const ids = Map.groupBy(rows, ({ name }) => name)
  for (const { name, id } of own) {
    const stored = ids.get(name) ?? []
    if (stored.length > 1) found.doubled.push(name)
    if (id !== undefined && !stored.some((row) => row.id === id)) found.lost.push(name)
  }
}

/** A change that was acknowledged is there, or a later one that may have been done without an answer. */
const checkChanges = async (sql: Session, writes: Write[], found: Found): Promise<void> => {
  const changes = Map.groupBy(
    writes.filter(({ kind }) => kind === 'change'),
    ({ path }) => path.slice('/channels/'.length),
  )
  const rows = await sql<{ id: string; type: string }[]>`
    select id, type from channels where id = any(${[...changes.keys()]})`
  const stored = new Map(rows.map(({ id, type }) => [id, type]))
  for (const [id, own] of changes) {
    const lastDone = own.findLastIndex((write) => write.id !== undefined)
    const possible = own.slice(Math.max(0, lastDone)).map(({ body }) => body.type)
    if (lastDone < 0) possible.push('radio')
    if (!possible.includes(stored.get(id))) found.lost.push(`change of ${id}`)
  }
}

const rules: Record<string, string> = {
  'a record without exactly one created event': `
    select r.id from (select 'channel.created' as event, id from channels
      union all select 'tag.created', id from tags) r
    left join events e on e.record_id = r.id and e.event = r.event
    group by r.id having count(e.id) <> 1`,
  'a created event without its record': `
    select e.record_id from events e where e.event in ('channel.created', 'tag.created')
      and not exists (select 1 from channels c where c.id = e.record_id)
      and not exists (select 1 from tags t where t.id = e.record_id)`,
  'a version without its event, or the other way round': `
    select c.id from channels c where c.version - 1 <>
      (select count(*) from events e where e.record_id = c.id and e.event = 'channel.changed')`,
  'a gap in the sequence of events': `
    select 1 from (select count(*) as n, coalesce(max(sequence), 0) as last from events) e, event_sequence s
    where e.n <> e.last or e.last <> s.last`,
  'an event twice': 'select id from events group by id having count(*) > 1',
  'an idempotency key without its record': `
    select key from idempotency_keys k where record_id is null
      or not exists (select 1 from channels c where c.id = k.record_id)
      and not exists (select 1 from tags t where t.id = k.record_id)`,
}

const brokenRules = async (sql: Session): Promise<string[]> => {
  const broken: string[] = []
  for (const [name, query] of Object.entries(rules)) {
    const rows = await sql.run(query)
    if (rows.length > 0) broken.push(`${name} (${rows.length})`)
  }
  return broken
}
