import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addPerson } from '../../../test/harness/factories.ts'
import { addSegment, folded, membersOf, movesOf, settled, touch } from '../../../test/harness/segments.ts'
import { rebuildSome } from './rebuild.ts'

const by = (gender: string) => ({ items: { rule: { gender: { eq: gender } } } })

const found = async (app: TestApp, gender: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select id from persons
    where environment_id = ${app.environment.id} and gender = ${gender} order by key`.execute(app.context.db)
  return rows.map(({ id }) => id)
}

/** Members, total and what was told agree with what is. */
const assertTrue = async (app: TestApp, id: string, expected: string[]): Promise<void> => {
  await folded(app)
  assert.deepEqual(await membersOf(app, id), expected)
  assert.equal((await settled(app, id)).total, expected.length)
  const told = Map.groupBy(await movesOf(app, id), ([, person]) => person)
  for (const [person, moves] of told) {
    const ways = moves.map(([way]) => way)
    assert.ok(
      ways.every((way, n) => way === (n % 2 === 0 ? 'added' : 'removed')),
      ways.join(),
    )
    assert.equal(ways.at(-1) === 'added', expected.includes(person))
  }
}

test('rules that change while persons do end in the members of the last ones', async () => {
  const app = await startApp()
  const persons = await Promise.all(Array.from({ length: 60 }, () => addPerson(app, { gender: 'other' })))
  const id = await addSegment(app, by('male'))
  const write = async () => {
    for (let n = 0; n < 120; n += 1) {
      const person = persons[(n * 7) % persons.length]!
      await sql`update persons set gender = ${['male', 'female', 'other'][n % 3]} where key = ${person.key}`.execute(
        app.context.db,
      )
      await touch(app, person)
    }
  }
  const change = async () => {
    for (let n = 0; n < 12; n += 1)
      await app.put(`/segments/${id}`, { rules: by(n % 2 === 0 ? 'female' : 'male') })
  }
  await Promise.all([write(), change()])
  await settled(app, id)
  await assertTrue(app, id, await found(app, 'male'))
})

test('persons that are deleted while a segment is worked out are in it no more, and hold nothing up', async () => {
  const app = await startApp()
  await sql`insert into persons (environment_id, id, gender)
    select ${app.environment.id}, gen_random_uuid()::text, 'male' from generate_series(1, 4000)`.execute(
    app.context.db,
  )
  const made = await app.post('/segments', { body: 'Men', rules: by('male') })
  const remove = async () => {
    for (let n = 0; n < 20; n += 1)
      await sql`delete from persons where environment_id = ${app.environment.id} and key % 20 = ${n % 10}`.execute(
        app.context.db,
      )
  }
  const again = async () => {
    for (const gender of ['female', 'male', 'female', 'male'])
      await app.put(`/segments/${made.body.id}`, { rules: by(gender) })
  }
  await Promise.all([remove(), again()])
  await settled(app, made.body.id)
  await folded(app)
  const expected = await found(app, 'male')
  assert.equal(expected.length < 4000, true)
  assert.deepEqual(await membersOf(app, made.body.id), expected)
  assert.equal((await app.get(`/segments/${made.body.id}`)).body.total, expected.length)
})

test('whoever is locked by another is not waited for, and follows when it is free', async () => {
  const app = await startApp()
  const [held, free] = [await addPerson(app, { gender: 'male' }), await addPerson(app, { gender: 'male' })]
  let id = ''
  await app.context.db.transaction().execute(async (tx) => {
    await sql`select 1 from persons where key = ${held.key} for update`.execute(tx)
    id = await addSegment(app, by('male'))
    assert.deepEqual(await membersOf(app, id), [free.id])
  })
  await eventually(async () => (await membersOf(app, id)).length === 2)
  await assertTrue(app, id, [held.id, free.id])
})

test('two nodes that work on the same segment tell of each person once', async () => {
  const app = await startApp()
  await sql`insert into persons (environment_id, id, gender)
    select ${app.environment.id}, gen_random_uuid()::text, 'male' from generate_series(1, 11000)`.execute(
    app.context.db,
  )
  const { body } = await app.post('/segments', { body: 'Men', rules: by('male') })
  for (let n = 0; n < 4; n += 1)
    await Promise.all(Array.from({ length: 3 }, () => rebuildSome(app.context, app.environment.id, body.id)))
  assert.equal((await settled(app, body.id)).total, 11_000)
  const moves = await movesOf(app, body.id)
  assert.deepEqual([moves.length, new Set(moves.map(([, person]) => person)).size], [11_000, 11_000])
})

test('what a deleted segment still gets from somebody who knew it goes too', async () => {
  const app = await startApp()
  const persons = await Promise.all(Array.from({ length: 50 }, () => addPerson(app, { gender: 'female' })))
  const ids = await Promise.all(Array.from({ length: 5 }, () => addSegment(app, by('male'))))
  const write = async () => {
    for (const person of persons) {
      await sql`update persons set gender = 'male' where key = ${person.key}`.execute(app.context.db)
      await touch(app, person)
    }
  }
  await Promise.all([write(), ...ids.map((id) => app.delete(`/segments/${id}`))])
  await folded(app)
  await eventually(async () => {
    const { rows } = await sql`select 1 from segment_members where environment_id = ${app.environment.id}
      limit 1`.execute(app.context.db)
    return rows.length === 0
  }, 10_000)
})

test('totals are added up while another segment is held, and nobody waits for it', async () => {
  const app = await startApp()
  const { db } = app.context
  const [free, held] = [await addSegment(app, by('male')), await addSegment(app, by('male'))]
  const added = async (id: string) => {
    const { rows } = await sql<{ total: number }>`select total from segments where id = ${id}`.execute(db)
    return rows[0]!.total
  }
  await db.transaction().execute(async (tx) => {
    await sql`select 1 from segments where id = ${held} for update`.execute(tx)
    for (let n = 1; n <= 3; n += 1) {
      await touch(app, await addPerson(app, { gender: 'male' }))
      await eventually(async () => (await added(free)) === n, 10_000)
      assert.equal((await app.get(`/segments/${held}`)).body.total, n)
    }
    assert.equal(await added(held), 0)
  })
  await eventually(async () => (await added(held)) === 3)
})

test('of many segments that are made at once no more are taken than there is room for', async () => {
  const app = await startApp()
  await sql`insert into segments (environment_id, id, body, rules, status)
    select ${app.environment.id}, 's' || n, 'Some', '{"match": "any", "items": {}}', 'ready'
    from generate_series(1, 999) n`.execute(app.context.db)
  const rules = { items: { rule: { last_seen: { il: 60 } } } }
  const making = await app.context.db.transaction().execute(async (tx) => {
    // Whoever wants the environment to be swept waits here.
    await sql`insert into segment_sweeps values (${app.environment.id}, now(), now())`.execute(tx)
    const all = Promise.all(
      Array.from({ length: 3 }, () => app.post('/segments', { body: 'One more', rules })),
    )
    await eventually(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(app.context.db)
      return rows.length === 3
    })
    return { all }
  })
  const statuses = (await making.all).map(({ status }) => status).sort()
  assert.deepEqual(statuses, [201, 409, 409])
})
