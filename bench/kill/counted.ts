import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../../src/database/session.ts'
import { interactionLabels } from '../../src/features/interactions/labels.ts'
import type { Post } from './interactions.ts'

/** Holds what was answered against what is stored and counted. */
export const checkInteractions = async (sql: Session, posts: Post[]): Promise<string[]> => {
  await untilFolded(sql)
  const sent = posts.flatMap(({ items }) => items.map(({ id }) => id))
  const rows = await sql<{ id: string; count: number }[]>`
    select id, count(*)::int as count from interactions where id = any(${sent}) group by id`
  const stored = new Map(rows.map(({ id, count }) => [id, count]))
  const done = posts.filter(({ isDone }) => isDone).flatMap(({ items }) => items)
  return [
    ...done.filter(({ id }) => !stored.has(id)).map(({ id }) => `lost ${id}`),
    ...rows.filter(({ count }) => count > 1).map(({ id }) => `stored twice ${id}`),
    ...(await brokenRules(sql)),
  ]
}

const untilFolded = async (sql: Session): Promise<void> => {
  for (const until = Date.now() + 20_000; Date.now() < until; await sleep(50)) {
    const [row] = await sql<{ left: boolean }[]>`
      select exists (select 1 from audience_deltas) or exists (select 1 from outbox) as left`
    if (!row!.left) return
  }
  throw new Error('what was committed was not folded within 20 s')
}

const number = `array_position('{${interactionLabels}}'::text[], label) - 1`

const rules: Record<string, string> = {
  'a counter that is not the number of its interactions': `
    select publication_id from (select publication_id, label, count(*) as count from interactions group by 1, 2) stored
    full join publication_counters counter using (publication_id, label)
    where stored.count is distinct from counter.count`,
  'a person whose labels or last sight are not those of the interactions': `
    select person_key from (select person_key, bit_or(1 << (${number})) as labels, max(created_on) as seen
      from interactions group by 1) stored
    join person_facts fact using (person_key) where stored.labels <> fact.labels or stored.seen <> fact.last_seen`,
  'an interaction without its id, or the other way round': `
    select id from interactions full join interaction_ids known using (environment_id, id)
    where interactions.id is null or known.id is null`,
  'an interaction of nobody': `
    select id from interactions i where not exists (select 1 from persons p where p.key = i.person_key)`,
  'a person without exactly one event of its making': `
    select p.id from persons p left join events e on e.record_id = p.id and e.event = 'person.created'
    group by p.id having count(e.id) <> 1`,
  'a like or subscription without exactly one event': `
    select 1 from (select person_key, kind, count(*) as n from person_links group by 1, 2) link
    join persons p on p.key = link.person_key
    where n <> (select count(*) from events e where e.record_id = p.id
      and e.event = case kind when 'Like' then 'person.liked' else 'person.subscribed' end)`,
}

const brokenRules = async (sql: Session): Promise<string[]> => {
  const broken: string[] = []
  for (const [name, query] of Object.entries(rules)) {
    const rows = await sql.run(query)
    if (rows.length > 0) broken.push(`${name} (${rows.length})`)
  }
  return broken
}
