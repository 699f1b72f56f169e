import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addPerson } from '../../../../test/harness/factories.ts'
import { relearnPersonWords } from './learn.ts'
import { tokensOf } from './search.ts'

const add = async (app: TestApp, body: object): Promise<string> => {
  const made = await app.post('/persons', body)
  assert.equal(made.status, 201, made.text)
  return made.body.id
}

const find = async (app: TestApp, q: string, more = '', call = {}): Promise<string[]> => {
  const { status, body, text } = await app.get(`/persons?q=${encodeURIComponent(q)}${more}`, call)
  assert.equal(status, 200, text)
  assert.equal(body.total, body.items.length)
  return body.items.map(({ id }: { id: string }) => id)
}

const vocabulary = async (app: TestApp): Promise<string[]> => {
  const { rows } = await sql<{ word: string }>`select word from person_vocabulary
    where environment_id = ${app.environment.id} order by word`.execute(app.context.db)
  return rows.map(({ word }) => word)
}

/** Words are learned beside the request that brought them. */
const learned = (app: TestApp, word: string) => eventually(async () => (await vocabulary(app)).includes(word))

test('persons are found by their names and addresses, whatever the case and accents, by beginnings and all words', async () => {
  const app = await startApp()
  const zoe = await add(app, {
    first_name: 'Zoë',
    last_name: 'Van-Dijk',
    nickname: 'Captain',
    emails: ['zoe.k+list@Mail.Example.org', 'second@elsewhere.example'],
  })
  const li = await add(app, { first_name: '小明', last_name: '李' })
  await addPerson(app, { environment: await app.addEnvironment(), first_name: 'Zoë', last_name: 'Dijk' })
  const hits = [
    'zoe',
    'ZOË',
    'zo',
    'dijk',
    'van-dijk',
    'Dijk Zoe',
    'capt',
    'zoe.k+list@mail.example.org',
    'zoe.k+list@',
    'ZOE.K+LIST@MAIL',
  ]
  const more = [
    'mail.example.org',
    '@elsewhere.example',
    '@elsew',
    'list',
    'z d',
    'zoe mail.example.org',
    '"Zoe" <second@elsewhere.example>',
  ]
  for (const q of [...hits, ...more]) assert.deepEqual(await find(app, q), [zoe], q)
  for (const q of ['小明', '明', '李', '李 小明']) assert.deepEqual(await find(app, q), [li], q)
  for (const q of ['zoe jones', 'ijk', 'example', 'zoe.j@mail.example.org', "zoe'; drop table"])
    assert.deepEqual(await find(app, q), [], q)
  assert.deepEqual(
    (await app.get('/v5/persons?q=zoe')).body.items.map(({ id }: { id: string }) => id),
    [zoe],
  )
  const found = await app.get('/search?q=second@elsewhere.example', { scopes: ['persons'] })
  assert.deepEqual(
    found.body.persons.items.map(({ id }: { id: string }) => id),
    [zoe],
  )
})

test('typing errors are forgiven in names and addresses, but not in short words and numbers', async () => {
  const app = await startApp()
  const id = await add(app, {
    first_name: 'Marieke',
    last_name: 'Oosterhuis',
    nickname: 'Bob',
    emails: ['m.oosterhuis77@letters.example'],
  })
  await add(app, { first_name: 'Peter', last_name: 'Zuidema' })
  await learned(app, 'oosterhuis')
  const near = [
    'mareike',
    'marieeke',
    'marike',
    'matieke',
    'oosterhius',
    'osterhuis',
    'oosterhuus',
    'oosterhaus marike',
    'letter.example',
    'oosterhuid@letters.example',
    '@leters.example',
  ]
  for (const q of near) assert.deepEqual(await find(app, q), [id], q)
  for (const q of ['bib', 'oosterhuis78', 'mexxeke', 'marike zuidema', 'zzzzoosterhuis'])
    assert.deepEqual(await find(app, q), [], q)
})

test('who has the words themselves comes before who only begins so, each the newest first, and pages follow', async () => {
  const app = await startApp()
  const made: Record<string, string> = {}
  const names = ['Janssen', 'Jan', 'Janneke', 'Jan']
  for (const [n, first_name] of names.entries())
    made[n] = await add(app, { first_name, last_name: 'Boer', created_on: `2026-01-0${n + 1}T00:00:00Z` })
  const ranked = [made[3], made[1], made[2], made[0]]
  assert.deepEqual(await find(app, 'jan'), ranked)
  assert.deepEqual(await find(app, 'jan', '&sort=created_on'), [made[0], made[1], made[2], made[3]])
  const seen: string[] = []
  for (let after = ''; seen.length < 10; ) {
    const { body } = await app.get(`/persons?q=jan&limit=1${after && `&after=${after}`}`)
    if (body.items.length === 0) break
    seen.push(body.items[0].id)
    after = body.after
  }
  assert.deepEqual(seen, ranked)
})

test('a search of very many is paged in the same order without repeating or skipping anybody', async () => {
  const app = await startApp()
  const { db } = app.context
  await sql`insert into persons (environment_id, id, first_name, created_on)
    select ${app.environment.id}, 'p' || n, case when n % 3 = 0 then 'Max' else 'Maximilian' end,
      timestamptz '2026-01-01' + (n * 7919 % 900) * interval '1 minute' from generate_series(1, 900) n`.execute(
    db,
  )
  await sql`insert into person_words (environment_id, word, person_key)
    select environment_id, lower(first_name), key from persons where environment_id = ${app.environment.id}`.execute(
    db,
  )
  await sql`analyze persons, person_words`.execute(db)
  const all: { id: string; created_on: string; first_name: string }[] = []
  for (let after = ''; ; ) {
    const { body } = await app.get(`/persons?q=max&limit=170${after && `&after=${after}`}`)
    assert.equal(body.total, 900)
    all.push(...body.items)
    if (body.items.length === 0) break
    after = body.after
  }
  const order = all.map(({ first_name, created_on }) => `${first_name === 'Max' ? 1 : 0} ${created_on}`)
  assert.equal(new Set(all.map(({ id }) => id)).size, 900)
  assert.deepEqual(order, order.toSorted().toReversed())
  const back = await app.get(
    `/persons?q=max&limit=170&before=${(await app.get('/persons?q=max&limit=170&skip=170')).body.before}`,
  )
  assert.deepEqual(
    back.body.items.map(({ id }: { id: string }) => id),
    all.slice(0, 170).map(({ id }) => id),
  )
})

test('however a search is made up, few of its parts are looked for', async () => {
  const app = await startApp()
  const id = await add(app, { first_name: 'Zoë' })
  const letters = Array.from({ length: 26 }, (_, n) => String.fromCharCode(97 + n))
  const long = letters.flatMap((one) => letters.map((other) => one + other))
  const unparted = String.fromCodePoint(...Array.from({ length: 2000 }, (_, n) => 0x4e00 + n))
  for (const text of [long.join('-'), long.join(' '), unparted]) {
    const parts = tokensOf(text).flatMap((token) => token.parts)
    assert.ok(parts.length <= 24 && parts.length >= 12, `${parts.length}`)
    assert.deepEqual(await find(app, text), [])
  }
  assert.deepEqual(await find(app, 'zoe '.repeat(400)), [id])
})

test('what was missed is learned again and what nobody has is forgotten, in every environment', async () => {
  const app = await startApp()
  const elsewhere = await app.addEnvironment()
  const { db } = app.context
  for (const environment of [app.environment, elsewhere]) {
    await addPerson(app, { environment, first_name: 'Quirijntje', last_name: 'Zwaluwstaart' })
    await sql`delete from person_vocabulary where environment_id = ${environment.id}`.execute(db)
    await sql`insert into person_vocabulary select ${environment.id}, 'nobody' || n
      from generate_series(1, 5500) n`.execute(db)
  }
  await relearnPersonWords(app.context)
  for (const { id } of [app.environment, elsewhere]) {
    const { rows } = await sql<{ word: string }>`select word from person_vocabulary
      where environment_id = ${id} order by word`.execute(db)
    assert.deepEqual(
      rows.map(({ word }) => word),
      ['quirijntje', 'zwaluwstaart'],
    )
  }
})

test('words go with who had them, also out of what typing errors are mended by', async () => {
  const app = await startApp()
  const first = await add(app, {
    first_name: 'Quirijntje',
    last_name: 'Zwaluwstaart',
    emails: ['quirijntje@unheard.example'],
  })
  const second = await add(app, { first_name: 'Quirijntje', last_name: 'Anders' })
  await learned(app, 'zwaluwstaart')
  await learned(app, 'anders')
  await app.put(`/persons/${first}`, { last_name: 'Nieuw', emails: [] })
  assert.deepEqual(await find(app, 'zwaluwstaart'), [])
  assert.deepEqual(await find(app, 'unheard.example'), [])
  assert.deepEqual(await find(app, 'nieuw'), [first])
  const left = await vocabulary(app)
  assert.deepEqual(
    left.filter((word) => /zwaluw|unheard/.test(word)),
    [],
  )
  assert.ok(left.includes('quirijntje'), 'somebody has it still')
  await Promise.all(
    [first, second].map((id) =>
      sql`delete from persons where environment_id = ${app.environment.id} and id = ${id}`.execute(
        app.context.db,
      ),
    ),
  )
  assert.deepEqual(await vocabulary(app), [])
  const { rows } = await sql`select 1 from person_words where environment_id = ${app.environment.id}`.execute(
    app.context.db,
  )
  assert.equal(rows.length, 0)
})
