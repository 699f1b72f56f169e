import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { counts, csv, errorsOf, importEnded, runImport, sendFile } from '../../../../test/harness/imports.ts'

type Told = { event: string; snapshot: Record<string, unknown> }

/** What was told in this environment, once everything that was committed has its number. */
const eventsOf = async ({ context, environment }: TestApp): Promise<Told[]> => {
  await eventually(async () => {
    const { rows } = await sql`select 1 from outbox`.execute(context.db)
    return rows.length === 0
  })
  const { rows } = await sql<Told>`select event, snapshot from events
    where environment_id = ${environment.id} order by sequence`.execute(context.db)
  return rows
}

test('rows find their person by reference, then by id, and leave what they do not name', async () => {
  const app = await startApp()
  await app.post('/persons', {
    id: 'one',
    reference_id: 'r1',
    first_name: 'Ann',
    last_name: 'Old',
    company: 'Kept',
  })
  await app.post('/persons', { id: 'two', first_name: 'Bob' })
  const rows = [
    'id,reference_id,first_name,last_name',
    ',r1,,New',
    'two,r2,Rob,',
    'three,r3,Cas,',
    'two,r1,x,x',
    ',,Nobody,',
    'two,,Robert,',
  ]
  const done = await runImport(app, rows.join('\n'))
  assert.deepEqual(counts(done), { status: 'done', counts: [6, 6, 2, 3, 1] })
  assert.deepEqual(
    (await errorsOf(app, done)).map(({ row, column }) => [row, column]),
    [[5, 'id']],
  )
  const one = (await app.get('/persons/one?fields=company')).body
  assert.deepEqual([one.first_name, one.last_name, one.company], ['Ann', 'New', 'Kept'])
  const two = (await app.get('/persons/two?fields=reference_id')).body
  assert.deepEqual([two.first_name, two.reference_id], ['Robert', 'r2'])
  assert.equal((await app.get('/persons/three')).body.first_name, 'Cas')
})

test('the caller chooses what persons are found by; each row then needs it', async () => {
  const app = await startApp()
  await app.post('/persons', { id: 'one', reference_id: 'r1' })
  const byId = await runImport(app, 'id,reference_id,nickname\none,r9,x\n,r8,x\nnew,r1,x\n', '?match=id')
  assert.deepEqual(counts(byId).counts, [3, 3, 1, 1, 1])
  assert.deepEqual(
    (await errorsOf(app, byId)).map(({ row, column }) => [row, column]),
    [[3, 'id']],
  )
  const byReference = await runImport(app, 'id,reference_id\none,r77\n,r9\n', '?match=reference_id')
  assert.deepEqual(counts(byReference).counts, [2, 2, 0, 1, 1])
  assert.deepEqual(
    (await errorsOf(app, byReference)).map(({ row, column }) => [row, column]),
    [[2, 'id']],
  )
})

test('an address finds its person whatever its case; that of several is an error; other addresses stay', async () => {
  const app = await startApp()
  await app.post('/persons', {
    id: 'one',
    emails: [{ email: 'One@example.org', verified: true }, 'work@example.org'],
  })
  for (const id of ['twin', 'other']) await app.post('/persons', { id, emails: ['twins@example.org'] })
  const rows = [
    'email,nickname',
    'one@EXAMPLE.org,x',
    'twins@example.org,x',
    ',x',
    'new@example.org,x',
    'new@example.org,y',
  ]
  const done = await runImport(app, rows.join('\n'), '?match=email')
  assert.deepEqual(counts(done), { status: 'done', counts: [5, 5, 1, 2, 2] })
  assert.deepEqual(
    (await errorsOf(app, done)).map(({ row, column }) => [row, column]),
    [
      [3, 'email'],
      [4, 'email'],
    ],
  )
  const { body } = await app.get('/persons/one?fields=emails,nickname')
  assert.equal(body.nickname, 'x')
  assert.deepEqual(
    body.emails.items
      .map((one: { email: string; verified: boolean }) => [one.email.toLowerCase(), one.verified])
      .sort(),
    [
      ['one@example.org', true],
      ['work@example.org', false],
    ],
  )
})

test('a dry run tells what would happen, repeats within the file included, and writes nothing', async () => {
  const app = await startApp()
  await app.post('/persons', { reference_id: 'r0', id: 'zero' })
  const many = Array.from({ length: 600 }, (_, n) => `,m${n},x,Tag ${n % 3}`)
  const rows = [
    'id,reference_id,first_name,tags',
    ',r0,Changed,',
    ',r1,New,',
    ...many,
    ',r1,Again,',
    'zero,r1,x,',
    ',m5,y,',
    '!,q,,',
  ]
  const before = await eventsOf(app)
  const dry = await runImport(app, rows.join('\n'), '?dry_run=true')
  assert.equal(dry.dry_run, true)
  assert.deepEqual(counts(dry), { status: 'done', counts: [606, 606, 601, 3, 2] })
  assert.equal((await app.get('/persons')).body.total, 1)
  assert.equal((await app.get('/persons/zero')).body.first_name, null)
  assert.equal((await app.get('/tags')).body.total, 0)
  const told = (await eventsOf(app)).slice(before.length).map(({ event }) => event)
  assert.deepEqual([...new Set(told)], ['person_import.created', 'person_import.changed'])
  const real = await runImport(app, rows.join('\n'))
  assert.deepEqual(counts(real), counts(dry))
  assert.deepEqual(await errorsOf(app, real), await errorsOf(app, dry))
  assert.equal((await app.get('/persons')).body.total, 602)
})

test('persons that are written are told of once, and those that stay as they are not at all', async () => {
  const app = await startApp()
  const file = 'reference_id,last_name\na,One\nb,Two\n'
  await runImport(app, file)
  const again = await runImport(app, `${file}c,Three\na,Other\n`)
  assert.deepEqual(counts(again).counts, [4, 4, 1, 3, 0])
  const told = (await eventsOf(app)).filter(({ event }) => event.startsWith('person.'))
  assert.deepEqual(
    told.map(({ event, snapshot }) => [event, snapshot.reference_id, snapshot.last_name]),
    [
      ['person.created', 'a', 'One'],
      ['person.created', 'b', 'Two'],
      ['person.created', 'c', 'Three'],
      ['person.changed', 'a', 'Other'],
    ],
  )
  assert.equal((await app.get('/persons?q=three')).body.total, 1)
})

test('while rows wait they cannot be read in the database, and nothing of them is left afterwards', async () => {
  const app = await startApp()
  const text = async () => {
    const { rows } = await sql<{ text: string }>`select
      (select coalesce(string_agg(r::text, ''), '') from import_rows r) ||
      (select coalesce(string_agg(r::text, ''), '') from import_errors r) ||
      (select coalesce(string_agg(r::text, ''), '') from import_names r) ||
      (select coalesce(string_agg(r::text, ''), '') from imports r) as text`.execute(app.context.db)
    return rows[0]!.text
  }
  const file = 'reference_id,last_name,gender\ncanary-1,canary-2,\ncanary-3,canary-4,canary-5\n'
  for (const query of ['?dry_run=1', '']) {
    const answer = await sendFile(app, file, query)
    assert.ok(!(await text()).includes('canary'))
    await importEnded(app, answer.body)
    assert.ok(!(await text()).includes('canary'))
  }
  const { rows } = await sql`select 1 from import_rows`.execute(app.context.db)
  assert.deepEqual(rows, [])
})

test('an Idempotency-Key makes a repeated upload harmless, and another file under it a conflict', async () => {
  const app = await startApp()
  const headers = { ...csv, 'idempotency-key': 'twice' }
  const first = await sendFile(app, 'last_name\nOne', '', { headers })
  const second = await sendFile(app, 'last_name\nOne', '', { headers })
  assert.deepEqual([first.status, second.status, second.body.id], [202, 202, first.body.id])
  assert.equal(second.headers.get('idempotency-replayed'), 'true')
  assert.equal((await sendFile(app, 'last_name\nTwo', '', { headers })).status, 409)
  await importEnded(app, first.body)
  assert.equal((await app.get('/persons')).body.total, 1)
  const { rows } = await sql`select 1 from imports where environment_id = ${app.environment.id}`.execute(
    app.context.db,
  )
  assert.equal(rows.length, 1)
})

test('imports belong to their environment, and need the scopes of writing persons', async () => {
  const app = await startApp()
  const done = await runImport(app, 'last_name,gender\nOne,x')
  const { value: token } = await app.addToken({ environment: await app.addEnvironment() })
  for (const path of ['', '/errors']) {
    const absent = await app.get(`/persons/imports/none${path}`, { token })
    const other = await app.get(`/persons/imports/${done.id}${path}`, { token })
    assert.deepEqual([other.status, other.body.code], [404, absent.body.code])
  }
  assert.equal((await app.get('/persons/imports', { token })).body.total, 0)
  assert.equal((await app.call('POST', `/persons/imports/${done.id}/cancel`, { token })).status, 404)
  for (const scopes of [['persons'], ['persons_publish']]) {
    const answer = await app.call('POST', '/persons/import', { raw: 'last_name\nx', headers: csv, scopes })
    assert.equal(answer.status, 403)
    assert.equal((await app.call('POST', `/persons/imports/${done.id}/cancel`, { scopes })).status, 403)
  }
  const { body } = await app.get('/persons/imports?status[eq]=done&dry_run[eq]=false')
  assert.deepEqual([body.total, body.items[0].id], [1, done.id])
})
