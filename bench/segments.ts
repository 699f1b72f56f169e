import { parseArgs } from 'node:util'
import { startEmbedded } from '../src/database/embedded.ts'
import { withSession } from '../src/database/session.ts'
import { fill, oldTag, publicationId, tagId } from './persons/fill.ts'
import { type BenchService, benchDatabase, benchService, percentile } from './service.ts'

/**
 * How soon members follow persons, interactions and time, beside 50 segments, and how long previews take.
 * `node bench/segments.ts [--rows 100000] [--interactions 1000000] [--folder kept] [--rounds 100] [--only preview]`
 */
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    interactions: { type: 'string' },
    /** Where the database is kept for the next time. */
    folder: { type: 'string' },
    rounds: { type: 'string', default: '100' },
    only: { type: 'string', default: '' },
  },
})
const rows = Number(options.rows)
const rounds = Number(options.rounds)
const day = 86_400
/** Of one segment, whose members leave by time alone: in seconds. */
const edge = 5

type Body = Record<string, unknown>
type Rule = Record<string, unknown>

const call = async ({ origin, headers }: BenchService, method: string, path: string, body?: Body) => {
  const response = await fetch(origin + path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} ${text}`)
  // biome-ignore lint/suspicious/noExplicitAny: bodies of any shape are looked into
  return text === '' ? undefined : (JSON.parse(text) as any)
}

/** Segments as marketers make them: facts, tags, publications, and groups of those. */
const ruleOf = (n: number): Rule => {
  const kinds: Rule[] = [
    { gender: { eq: n % 2 === 0 ? 'female' : 'male' }, age: { eq: 20 + n } },
    { last_seen: { il: (n + 1) * 3600 }, gender: { eq: 'other' } },
    { created_on: { il: (n + 1) * 6 * 3600 }, password: { has: true } },
    { tags: { all: [tagId(n % 50), tagId((n * 7) % 50)] } },
    { purchased: { has: true }, age: { gt: 85 } },
    { viewed: { eq: publicationId(n * 3) } },
    { match: 'any', items: { liked: { liked: { eq: publicationId(n) } }, tag: { tags: { eq: oldTag } } } },
  ]
  return kinds[n % kinds.length]!
}

const report = (title: string, times: number[], goal: number): void => {
  const [half, most] = [percentile(times, 0.5), percentile(times, 0.99)].map((time) =>
    time.toFixed(0).padStart(7),
  )
  const verdict = Math.max(...times) <= goal ? 'holds' : 'FAILS'
  console.log(
    `${title.padEnd(48)}${half}${most}  most ${Math.max(...times).toFixed(0)} (goal ${goal}) ${verdict}`,
  )
}

const until = async (look: () => Promise<boolean>): Promise<void> => {
  while (!(await look())) await new Promise((resolve) => setTimeout(resolve, 10))
}

const addSegments = async (service: BenchService): Promise<{ marked: string; recent: string }> => {
  const from = performance.now()
  const add = async (body: string, rule: Rule): Promise<string> =>
    (await call(service, 'POST', '/segments', { body, rules: { items: { rule } } })).id
  for (let n = 0; n < 48; n += 1) await add(`Segment ${n}`, ruleOf(n))
  const marked = await add('Marked', { gender: { eq: 'other' } })
  const recent = await add('Recent', { last_seen: { il: edge } })
  await call(service, 'PUT', `/segments/${marked}`, {
    rules: { items: { rule: { gender: { eq: 'other' } } } },
  })
  await until(async () => {
    const { items } = await call(service, 'GET', '/segments?limit=100')
    return items.every(({ status }: { status: string }) => status === 'ready')
  })
  const { items } = await call(service, 'GET', '/segments?limit=100')
  const members = items.reduce((sum: number, { total }: { total: number }) => sum + total, 0)
  const seconds = (performance.now() - from) / 1000
  console.log(`50 segments with ${members} members worked out in ${seconds.toFixed(1)} s`)
  return { marked, recent }
}

const personAt = (n: number, count: number): string => `person-${1 + Math.floor((n * (rows - 1)) / count)}`

/** Steady traffic beside what is measured: so many interactions a second. */
const traffic = async (service: BenchService, perSecond: number) => {
  const items = { 'en-US': { title: { label: 'Text', body: 'Measured' } } }
  const publication = await call(service, 'POST', '/publications', {
    label: 'Publication',
    locales: ['en-US'],
    items,
  })
  let number = 0
  const timer = setInterval(() => {
    const items = Array.from({ length: perSecond / 10 }, () => {
      number += 1
      return { label: 'View', person: { id: `person-${1 + ((number * 7919) % rows)}` } }
    })
    call(service, 'POST', `/publications/${publication.id}/interactions`, { items }).catch(console.error)
  }, 100)
  return () => clearInterval(timer)
}

const isMember = async (service: BenchService, segment: string, person: string): Promise<boolean> =>
  (await call(service, 'GET', `/segments/${segment}/persons/${person}`)).member

const measureChanges = async (service: BenchService, segment: string, title: string): Promise<void> => {
  const times: number[] = []
  for (let n = 0; n < rounds; n += 1) {
    const person = personAt(n, rounds)
    const { gender } = await call(service, 'GET', `/persons/${person}?fields=gender`)
    const isIn = gender !== 'other'
    const from = performance.now()
    await call(service, 'PUT', `/persons/${person}`, { gender: isIn ? 'other' : 'male' })
    await until(async () => (await isMember(service, segment, person)) === isIn)
    times.push(performance.now() - from)
  }
  report(title, times, 2000)
}

/** From the moment of the edge to the event that tells of it. */
const measureTime = async (service: BenchService, segment: string): Promise<void> => {
  const count = await withSession(service.url, async (sql) => {
    const [{ now }] = await sql<[{ now: Date }]>`select now()`
    await new Promise((resolve) => setTimeout(resolve, 8000 + edge * 1000))
    return sql<{ late: number }[]>`
      select extract(epoch from told.created_on - facts.last_seen)::float8 * 1000 - ${edge * 1000} as late
      from (select record_id, created_on, snapshot, event from events
        union all select record_id, created_on, snapshot, event from outbox) told
      join persons row on row.id = told.record_id join person_facts facts on facts.person_key = row.key
      where told.event = 'person.segment.removed' and told.snapshot -> 'segment' ->> 'id' = ${segment}
        and told.created_on > ${now} and facts.last_seen < told.created_on`
  })
  report(
    `${count.length} left by time alone`,
    count.map(({ late }) => late),
    2000,
  )
}

const previews: [title: string, rule: Rule, goal: number][] = [
  ['gender and age', { gender: { eq: 'female' }, age: { gte: 30 } }, 300],
  ['seen this month, purchased', { last_seen: { il: 30 * day }, purchased: { has: true } }, 300],
  [
    'any of gender, password, created',
    {
      match: 'any',
      items: {
        a: { gender: { eq: 'male' } },
        b: { password: { has: true } },
        c: { created_on: { il: 30 * day } },
      },
    },
    300,
  ],
  ['tag, frequent', { tags: { eq: tagId(0) } }, 300],
  ['tag, rare', { tags: { eq: oldTag } }, 300],
  ['viewed, frequent', { viewed: { eq: publicationId(0) }, gender: { eq: 'female' } }, 300],
  [
    'any of viewed, liked, tags',
    {
      match: 'any',
      items: {
        a: { viewed: { in: [publicationId(0), publicationId(1)] } },
        b: { liked: { has: true } },
        c: { tags: { in: [tagId(1), tagId(2)] } },
        d: { terms: { has: false } },
      },
    },
    300,
  ],
  ['none of tags, with an address', { tags: { has: false }, reference_id: { has: true } }, 300],
]

const measurePreviews = async (service: BenchService): Promise<void> => {
  console.log('\nPreviews, p50 and p99 in ms')
  for (const [title, rule, goal] of previews)
    for (const exact of [false, true]) {
      const body = { rules: { items: { rule } }, exact }
      const times: number[] = []
      const first = await call(service, 'POST', '/segments/preview', body)
      for (let n = 0; n < Math.min(10, rounds); n += 1) {
        const from = performance.now()
        await call(service, 'POST', '/segments/preview', body)
        times.push(performance.now() - from)
      }
      const kind = first.exact ? 'exact' : `estimate ± ${first.margin}`
      report(`${title}: ${first.total} (${kind})`, times, exact && goal === 300 ? 3000 : goal)
    }
}

const open = async () => {
  if (!options.folder) return benchDatabase()
  const server = await startEmbedded({ folder: options.folder })
  return { url: server.url, [Symbol.asyncDispose]: () => server.stop() }
}

await using database = await open()
await using service = await benchService(database.url, 'bench_persons')
const [known] = await withSession(service.url, (sql) => sql<object[]>`select 1 from persons limit 1`)
if (!known) await fill(service, rows, Number(options.interactions ?? rows * 10))
await withSession(service.url, async (sql) => {
  for (const { id } of (await call(service, 'GET', '/segments?limit=1000')).items)
    await call(service, 'DELETE', `/segments/${id}`)
  await until(async () => (await sql`select 1 from segment_members limit 1`).length === 0)
})
if (!options.only || options.only === 'members') {
  const { marked, recent } = await addSegments(service)
  console.log(`\nFrom a change to its membership among ${rows} persons, p50 and p99 in ms`)
  await measureChanges(service, marked, 'a person changed, at rest')
  const end = await traffic(service, 200)
  await measureChanges(service, marked, 'a person changed, beside 200 interactions/s')
  await measureTime(service, recent)
  end()
}
if (!options.only || options.only === 'preview') await measurePreviews(service)
