import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addPerson } from '../../../test/harness/factories.ts'
import { faults } from '../../../test/harness/records/kind.ts'
import { addSegment } from '../../../test/harness/segments.ts'

test('why tells of each rule, and of each of its filters, whether it matches', async () => {
  const app = await startApp()
  const rules = {
    items: {
      grown_up: { age: { gte: 18 }, gender: { neq: 'other' } },
      either: {
        match: 'any',
        items: { men: { gender: { eq: 'male' } }, women: { or: [{ gender: { eq: 'female' } }] } },
      },
    },
  }
  const woman = await addPerson(app, { gender: 'female', date_of_birth: '1980-01-01' })
  const girl = await addPerson(app, { gender: 'female', date_of_birth: `${new Date().getFullYear()}-01-01` })
  const id = await addSegment(app, rules as never, 'Grown up')
  const { body } = await app.get(`/segments/${id}/persons/${woman.id}`)
  assert.deepEqual(
    { ...body, since: null },
    {
      label: 'SegmentPerson',
      segment: { id, label: 'Segment', body: 'Grown up' },
      person: { id: woman.id, label: 'Person' },
      member: true,
      since: null,
      matched: ['either', 'either.women', 'grown_up'],
      rules: {
        match: 'all',
        matched: true,
        items: {
          either: {
            match: 'any',
            matched: true,
            items: {
              men: { matched: false, filters: { gender: false } },
              women: { matched: true, filters: { or: true } },
            },
          },
          grown_up: { matched: true, filters: { age: true, gender: true } },
        },
      },
    },
  )
  assert.ok(Math.abs(Date.parse(body.since) - Date.now()) < 60_000)
  const out = (await app.get(`/v5/segments/${id}/persons/${girl.id}`)).body
  assert.deepEqual(
    [out.member, out.since, out.matched, out.rules.items.grown_up],
    [false, null, ['either', 'either.women'], { matched: false, filters: { age: false, gender: true } }],
  )
  const elsewhere = await addPerson(app, { environment: await app.addEnvironment() })
  assert.equal((await app.get(`/segments/${id}/persons/${elsewhere.id}`)).status, 404)
})

test('the list of segments tells those of a person, and of nobody elsewhere', async () => {
  const app = await startApp()
  const { id } = await addPerson(app, { gender: 'female' })
  const women = await addSegment(app, { items: { all: { gender: { eq: 'female' } } } }, 'Women')
  await addSegment(app, { items: { all: { gender: { eq: 'male' } } } }, 'Men')
  const { body } = await app.get(`/segments?persons[eq]=${id}`)
  assert.deepEqual([body.total, body.items.map((item: { id: string }) => item.id)], [1, [women]])
  const elsewhere = await addPerson(app, { environment: await app.addEnvironment() })
  assert.equal((await app.get(`/segments?persons[in]=${elsewhere.id},none`)).body.total, 0)
})

test('the members are a list of persons that can be filtered, sorted, paged and expanded', async () => {
  const app = await startApp()
  const names = ['Ada', 'Bea', 'Cleo', 'Dina', 'Eve']
  for (const first_name of names) await addPerson(app, { first_name, gender: 'female' })
  await addPerson(app, { first_name: 'Finn', gender: 'male' })
  const id = await addSegment(app, { items: { women: { gender: { eq: 'female' } } } })
  const url = `/segments/${id}/persons`
  const first = await app.get(`${url}?sort=first_name&limit=2&fields=gender`)
  const shown = (body: { items: { first_name: string }[] }) => body.items.map((item) => item.first_name)
  assert.deepEqual(
    [shown(first.body), first.body.total, first.body.items[0].gender],
    [['Ada', 'Bea'], 5, 'female'],
  )
  const next = await app.get(`${url}?sort=first_name&limit=2&after=${first.body.after}`)
  assert.deepEqual(shown(next.body), ['Cleo', 'Dina'])
  const narrowed = await app.get(`${url}?reference_id[has]=false&gender[eq]=male`)
  assert.deepEqual([shown(narrowed.body), narrowed.body.total], [[], 0])
  assert.equal((await app.get(`${url}?segments[eq]=${id}`)).body.total, 5)
  assert.equal((await app.get(`${url}?total=false`)).body.total, undefined)
  assert.deepEqual(
    Object.keys((await app.get(`/v5${url}?limit=1`)).body.items[0]).includes('firstname'),
    true,
  )
  assert.deepEqual(faults(await app.get(`${url}?shoe[eq]=4&limit=501`)), ['limit', 'shoe'])
  assert.equal((await app.get(`/persons?segments[eq]=${id}&gender[eq]=female`)).body.total, 5)
})

const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', "'=1", '"=1', '|calc', '%0A']

test('an export holds every member, nothing secret, and nothing that a spreadsheet would work out', async () => {
  const app = await startApp()
  const secret = 'canary-of-a-secret'
  for (const nickname of formulas)
    await addPerson(app, {
      nickname,
      gender: 'other',
      password_hash: secret,
      totp_secret: secret,
      bank_accounts: secret,
      provider_tokens: secret,
    })
  const named = { initials: 'A.B.', preposition: 'van', prefix_last_name: 'der', last_name: 'Berg' }
  await addPerson(app, { first_name: 'A "quoted", \n name', gender: 'other', ...named })
  await sql`insert into persons (environment_id, id, gender)
    select ${app.environment.id}, gen_random_uuid()::text, 'other' from generate_series(1, 1200)`.execute(
    app.context.db,
  )
  const id = await addSegment(app, { items: { all: { gender: { eq: 'other' } } } })
  const csv = await app.get(`/segments/${id}/export`)
  assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.equal(csv.headers.get('content-disposition'), `attachment; filename="segment-${id}.csv"`)
  const rows = parseCsv(csv.text)
  assert.equal(rows.length, 1 + formulas.length + 1 + 1200)
  const column = rows[0]!.indexOf('nickname')
  assert.deepEqual(
    rows.slice(1, formulas.length + 1).map((row) => row[column]),
    formulas.map((text) => `'${text}`),
  )
  assert.equal(rows[formulas.length + 1]![rows[0]!.indexOf('first_name')], 'A "quoted", \n name')
  for (const [name, value] of Object.entries(named))
    assert.equal(rows[formulas.length + 1]![rows[0]!.indexOf(name)], value, name)
  const lines = await app.get(`/segments/${id}/export?format=ndjson`)
  assert.equal(lines.headers.get('content-type'), 'application/x-ndjson; charset=utf-8')
  const persons = lines.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(new Set(persons.map((person) => person.id)).size, rows.length - 1)
  assert.equal(persons[0].nickname, '=1+1')
  for (const text of [csv.text, lines.text]) assert.ok(!text.includes(secret))
  assert.deepEqual(faults(await app.get(`/segments/${id}/export?format=xml&more=1`)), ['format', 'more'])
  assert.equal((await app.call('HEAD', `/segments/${id}/export`)).status, 200)
})

const parseCsv = (text: string): string[][] => {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n"]*))(,|\r\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

const preview = async (app: TestApp, body: object) => (await app.post('/segments/preview', body)).body

test('a preview counts without making anything, exactly for a small audience', async () => {
  const app = await startApp()
  for (const gender of ['male', 'male', 'female'] as const) await addPerson(app, { gender })
  const rules = { items: { men: { gender: { eq: 'male' } }, tagged: { tags: { has: false } } } }
  assert.deepEqual(await preview(app, { rules }), { total: 2, exact: true, margin: 0 })
  assert.deepEqual(await preview(app, { rules, exact: true }), { total: 2, exact: true, margin: 0 })
  assert.deepEqual(await preview(app, {}), { total: 3, exact: true, margin: 0 })
  assert.deepEqual(faults(await app.post('/segments/preview', { exact: 'maybe', rules: { items: 7 } })), [
    'exact',
    'rules.items',
  ])
  assert.equal((await app.get('/segments')).body.total, 0)
})
