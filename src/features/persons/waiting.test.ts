import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/harness/access.ts'
import { startApp } from '../../../test/harness/app.ts'
import { addTag } from '../../../test/harness/factories.ts'

test('whoever waits for another writer of a person sees what that one left beside the row, too', async () => {
  const app = await startApp()
  const { db } = app.context
  const [one, other] = [await addTag(app), await addTag(app)]
  const { body: person } = await app.post('/persons', { tags: [{ id: one.id }] })
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const writing = db.transaction().execute(async (tx) => {
    await sql`update persons set job_title = 'Writer' where id = ${person.id}`.execute(tx)
    await sql`update person_tags set tag_id = ${other.id} where environment_id = ${app.environment.id}
      and tag_id = ${one.id}`.execute(tx)
    locked.resolve()
    await held.promise
  })
  await locked.promise
  const changing = app.put(`/persons/${person.id}`, { tags: [{ id: one.id }] })
  await eventually(async () => {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows.length > 0
  })
  held.resolve()
  await writing
  assert.equal((await changing).status, 200)
  const { body } = await app.get(`/persons/${person.id}?fields=tags`)
  assert.deepEqual(
    body.tags.items.map(({ id }: { id: string }) => id),
    [one.id],
  )
})

test('a person shows its newest sessions and tells how many there are', async () => {
  const app = await startApp()
  const { body: person } = await app.post('/persons', {})
  await sql`insert into person_sessions (environment_id, id, person_key, hash, expires_on)
    select ${app.environment.id}, gen_random_uuid()::text, key, sha256(n::text::bytea), now() + interval '1 hour'
    from persons, generate_series(1, 105) n where persons.id = ${person.id}`.execute(app.context.db)
  const { body } = await app.get(`/persons/${person.id}?fields=sessions`)
  assert.deepEqual([body.sessions.total, body.sessions.items.length], [105, 100])
})
