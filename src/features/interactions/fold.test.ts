import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { addPerson } from '../../../test/harness/factories.ts'
import { folded, setUp, stored } from '../../../test/harness/interactions.ts'
import { eventsOf } from '../../../test/harness/records/kind.ts'

test('a like or a subscription becomes the state of the person and is told once', async () => {
  const { app, id, send } = await setUp()
  const { body: person } = await app.post('/persons', { first_name: 'Robin' })
  const items = ['Like', 'Like', 'Subscribe', 'View'].map((label) => ({ label, person: { id: person.id } }))
  for (let round = 0; round < 2; round += 1) assert.equal((await send({ items })).status, 202)
  for (const path of ['likes', 'subscriptions'])
    assert.deepEqual(
      (await app.get(`/persons/${person.id}/${path}`)).body.items.map((one: { id: string }) => one.id),
      [id],
    )
  assert.deepEqual((await eventsOf(app, person.id)).sort(), [
    'person.created',
    'person.liked',
    'person.subscribed',
  ])
})

test('what is recorded is soon counted with the publication and known of the person', async () => {
  const { app, id, send } = await setUp()
  const person = await addPerson(app)
  const at = (moment: string) => ({ person: { id: person.id }, created_on: moment })
  const items = [
    { label: 'View', ...at('2026-11-02T10:00:00Z') },
    { label: 'View', ...at('2026-11-01T10:00:00Z') },
    { label: 'Win', ...at('2020-01-01') },
  ]
  await send({ items })
  await send({ id: 'x', label: 'View', ...at('2026-11-01T11:00:00Z') })
  await send({ id: 'x', label: 'View', ...at('2026-11-01T11:00:00Z') })
  await folded(app)
  const insights = async () => (await app.get(`/publications/${id}?fields=insights`)).body.insights
  assert.deepEqual(await insights(), { View: 3, Win: 1 })
  const { labels, last_seen } = await app.context.db
    .selectFrom('person_facts')
    .selectAll()
    .where('person_key', '=', person.key)
    .executeTakeFirstOrThrow()
  assert.deepEqual([labels, last_seen], [1 | (1 << 15), new Date('2026-11-02T10:00:00Z')])
  await app.delete(`/persons/${person.id}`)
  await folded(app)
  assert.deepEqual([await stored(app), await insights()], [[], {}])
})

test('an environment whose segments cannot be worked out holds up no other, and is tried again', async () => {
  const [broken, whole] = [await setUp(), await setUp()]
  const persons = [await addPerson(broken.app), await addPerson(whole.app)]
  await Promise.all([folded(broken.app), folded(whole.app)])
  const { db } = broken.app.context
  const environment = broken.app.environment.id
  const rules = { items: { viewed: { interactions: { has: true, type: 'Viewed' } } } }
  const segment = await broken.app.post('/segments', { body: 'Viewers', rules })
  assert.equal(segment.status, 201, segment.text)
  await sql`create function refuse_member() returns trigger language plpgsql as $$
    begin raise exception 'nobody comes in'; end $$`.execute(db)
  await sql`create trigger refuse_member before insert on segment_members
    for each row when (new.environment_id = ${sql.lit(environment)}) execute function refuse_member()`.execute(
    db,
  )
  for (const [index, { send }] of [broken, whole].entries())
    assert.equal((await send({ label: 'View', person: { id: persons[index]!.id } })).status, 202)
  await folded(whole.app)
  const waiting = await sql`select 1 from audience_deltas where environment_id = ${environment}`.execute(db)
  assert.ok(waiting.rows.length > 0)
  await sql`drop function refuse_member cascade`.execute(db)
  await folded(broken.app)
  for (const { app, id } of [broken, whole])
    assert.deepEqual((await app.get(`/publications/${id}?fields=insights`)).body.insights, { View: 1 })
})
