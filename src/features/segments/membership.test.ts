import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addPerson, addTag } from '../../../test/harness/factories.ts'
import { addSegment, folded, membersOf, movesOf, settled } from '../../../test/harness/segments.ts'

const addByHttp = async (app: TestApp, body: object): Promise<{ id: string }> => {
  const made = await app.post('/persons', body)
  assert.equal(made.status, 201, made.text)
  return made.body
}

const within = async (app: TestApp, segment: string, expected: { id: string }[]): Promise<void> => {
  const ids = expected.map(({ id }) => id)
  await eventually(
    async () => JSON.stringify(await membersOf(app, segment)) === JSON.stringify(ids),
    5000,
  ).catch(async () => assert.deepEqual(await membersOf(app, segment), ids))
  assert.equal((await app.get(`/segments/${segment}`)).body.total, ids.length)
}

test('persons come and go as they are created, changed and tagged', async () => {
  const app = await startApp()
  const tag = await addTag(app)
  const men = await addSegment(app, { items: { men: { gender: { eq: 'male' } } } })
  const tagged = await addSegment(app, { items: { tagged: { tags: { eq: tag.id } } } })
  const none = await addSegment(app, {
    items: { none: { tags: { has: false }, last_seen: { lt: '1990-01-01' } } },
  })
  const one = await addByHttp(app, { first_name: 'Ann', gender: 'male' })
  await within(app, men, [one])
  await within(app, tagged, [])
  assert.equal(
    (await app.put(`/persons/${one.id}`, { gender: 'female', tags: [{ id: tag.id }] })).status,
    200,
  )
  await within(app, men, [])
  await within(app, tagged, [one])
  assert.deepEqual(await movesOf(app, men), [
    ['added', one.id],
    ['removed', one.id],
  ])
  assert.equal((await app.get(`/segments/${none}`)).body.total, 0)
})

test('an interaction moves who did it, by what it was and by when', async () => {
  const app = await startApp()
  const person = await addByHttp(app, { first_name: 'Ann' })
  const publication = await app.post('/publications', {
    label: 'Publication',
    locales: ['en-US'],
    items: { 'en-US': { title: { label: 'Text', body: 'One' } } },
  })
  const rules: object[] = [
    { viewed: { has: true } },
    { viewed: { eq: publication.body.id } },
    { last_seen: { il: 3600 } },
    { interactions: { has: true, type: 'Viewed' } },
  ]
  const ids = []
  for (const rule of rules) ids.push(await addSegment(app, { items: { rule } }))
  const other = await addSegment(app, { items: { rule: { viewed: { eq: randomUUID() } } } })
  const sent = await app.post(`/publications/${publication.body.id}/interactions`, {
    label: 'View',
    person: { id: person.id },
  })
  assert.equal(sent.status, 202, sent.text)
  for (const id of ids) await within(app, id, [person])
  await within(app, other, [])
  const seen = (await app.get(`/segments/${ids[0]}`)).body.last_seen
  assert.ok(Math.abs(Date.parse(seen) - Date.now()) < 30_000, seen)
})

test('a tag that is renamed or deleted moves those who carry it', async () => {
  const app = await startApp()
  const tag = await addTag(app, { body: 'Jazz', slug: 'jazz' })
  const person = await addPerson(app, { tags: [tag.id] })
  const named = await addSegment(app, { items: { rule: { tags: { eq: 'jazz', param: 'slug' } } } })
  const without = await addSegment(app, { items: { rule: { tags: { has: false } } } })
  await within(app, named, [person])
  await app.put(`/tags/${tag.id}`, { slug: 'swing' })
  await within(app, named, [])
  await app.put(`/tags/${tag.id}`, { slug: 'jazz' })
  await within(app, named, [person])
  await app.delete(`/tags/${tag.id}`)
  await within(app, named, [])
  await within(app, without, [person])
})

test('200 changes at once leave members, totals and events that agree', async () => {
  const app = await startApp()
  const men = await addSegment(app, { items: { men: { gender: { eq: 'male' } } } })
  const persons = await Promise.all(Array.from({ length: 40 }, () => addByHttp(app, { gender: 'female' })))
  await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      app.put(`/persons/${persons[n % 40]!.id}`, { gender: n % 3 === 0 ? 'male' : 'female' }),
    ),
  )
  await folded(app)
  const { rows } = await sql<{
    id: string
  }>`select id from persons where environment_id = ${app.environment.id}
    and gender = 'male' order by key`.execute(app.context.db)
  await within(app, men, rows)
  const moves = await movesOf(app, men)
  for (const { id } of persons) {
    const told = moves.filter(([, person]) => person === id).map(([event]) => event)
    assert.ok(
      told.every((event, n) => event === (n % 2 === 0 ? 'added' : 'removed')),
      told.join(),
    )
    assert.equal(
      told.length % 2 === 1,
      rows.some((row) => row.id === id),
    )
  }
})

test('a segment of 12,000 is worked out in several transactions, each person told once', async () => {
  const app = await startApp()
  await sql`insert into persons (environment_id, id, gender)
    select ${app.environment.id}, gen_random_uuid()::text, 'other' from generate_series(1, 12000)`.execute(
    app.context.db,
  )
  const id = await addSegment(app, { items: { all: { gender: { eq: 'other' } } } })
  assert.equal((await settled(app, id)).total, 12_000)
  const moves = await movesOf(app, id)
  assert.equal(new Set(moves.map(([, person]) => person)).size, 12_000)
  assert.equal(moves.length, 12_000)
})
