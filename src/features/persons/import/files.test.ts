import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { counts, errorsOf, form, ndjson, runImport, sendFile } from '../../../../test/harness/imports.ts'
import type { Loose } from '../../../../test/harness/publications.ts'

const all =
  'reference_id,first_name,last_name,emails,phones,addresses,custom,tags,tracking,gender,date_of_birth'
const persons = async (app: TestApp) => {
  const { body } = await app.get(`/persons?fields=${all}&sort=created_on&limit=500`)
  return body.items as Record<string, never>[]
}
const paths = (answer: Awaited<ReturnType<typeof sendFile>>) => {
  assert.equal(answer.status, 400, answer.text)
  return (answer.body.errors as { path: string }[]).map(({ path }) => path)
}

test('a file with a mark, semicolons, CRLF and quotes becomes persons with all that its columns name', async () => {
  const app = await startApp()
  const text = [
    '\ufeffReference_ID;first_name;"last_name";emails;phone;address.street;address.number;address.city;custom;tags;tracking',
    '1;Zoë;"van ""der"" Berg;\r\nthe 2nd";"a@example.org; b@example.org";+31 20 555 0100;Kade;12;Rotterdam;"x;y";News;FALSE',
  ]
  const done = await runImport(app, `${text.join('\r\n')}\r\n\r\n;;;;;;;;;;\r\n2;Ann;;;;;;;;;\r\n`)
  assert.deepEqual(counts(done), { status: 'done', counts: [2, 2, 2, 0, 0] })
  assert.equal(done.label, 'PersonImport')
  const [zoe, ann] = (await persons(app)) as unknown as Loose[]
  assert.deepEqual(
    [zoe!.reference_id, zoe!.first_name, zoe!.last_name, zoe!.custom, zoe!.tracking],
    ['1', 'Zoë', 'van "der" Berg;\r\nthe 2nd', ['x', 'y'], false],
  )
  assert.deepEqual(
    zoe!.emails.items.map((one: { email: string }) => one.email),
    ['a@example.org', 'b@example.org'],
  )
  assert.equal(zoe!.phones.items[0].phone, '+31 20 555 0100')
  const { street, number, city } = zoe!.addresses.items[0]
  assert.deepEqual([street, number, city], ['Kade', '12', 'Rotterdam'])
  assert.equal(zoe!.tags.items[0].body, 'News')
  assert.deepEqual([ann!.reference_id, ann!.first_name, ann!.last_name], ['2', 'Ann', null])
})

test('the delimiter is found, whichever of the three it is, and a last row needs no line ending', async () => {
  for (const delimiter of [',', ';', '\t']) {
    const app = await startApp()
    const rows = [
      ['first_name', 'last_name', 'company'],
      ['Ann', 'A', `"x,;\ty"`],
    ]
    const done = await runImport(app, rows.map((row) => row.join(delimiter)).join('\r'))
    assert.deepEqual(counts(done), { status: 'done', counts: [1, 1, 1, 0, 0] })
    const { body } = await app.get('/persons?fields=company,last_name')
    assert.deepEqual([body.items[0].company, body.items[0].last_name], ['x,;\ty', 'A'])
  }
})

test('lines of JSON are bodies of POST /persons, read-only names included', async () => {
  const app = await startApp()
  const rows = [
    {
      reference_id: 'r1',
      last_name: 'One',
      emails: [{ email: 'one@example.org', verified: true }],
      label: 'Person',
    },
    { id: 'own-id', bank_accounts: ['NL91ABNA0417164300'], password: 'correct horse', age: 30 },
  ]
  const text = rows.map((row) => JSON.stringify(row)).join('\n\n')
  const done = await runImport(app, `${text}\r\n`, '', { headers: ndjson })
  assert.deepEqual(counts(done), { status: 'done', counts: [2, 2, 2, 0, 0] })
  const { body } = await app.get('/persons/own-id?fields=bank_accounts')
  assert.equal(body.bank_accounts.items[0].iban, 'NL************4300')
  assert.equal((await app.get('/persons?password[has]=true')).body.total, 1)
})

test('each wrong row fails alone and is told by row, column and message, without what it holds', async () => {
  const app = await startApp()
  const secret = 'canary-7411'
  const rows = [
    'Ref,E-mail,Gender,Geboren,last_name',
    'a,one@example.org,female,1990-04-23,Fine',
    `b,${secret},${secret},${secret},x`,
    'c,one@example.org',
    `d,"one@example.org"${secret},male,,x`,
    'e,two@example.org;three@example.org,male,,Fine too',
    `f,two@example.org;${secret},,,x`,
    `,,,,"${secret}`,
  ]
  const mapping = encodeURIComponent(
    JSON.stringify({ Ref: 'reference_id', 'E-mail': 'emails', Geboren: 'date_of_birth' }),
  )
  const done = await runImport(app, Buffer.from(rows.join('\n')), `?mapping=${mapping}`)
  assert.deepEqual(counts(done), { status: 'done', counts: [7, 7, 2, 0, 5] })
  const errors = await errorsOf(app, done)
  assert.deepEqual(
    errors.map(({ row, column }) => [row, column]),
    [
      [3, 'Gender'],
      [3, 'Geboren'],
      [3, 'E-mail'],
      [4, ''],
      [5, ''],
      [7, 'E-mail'],
      [8, ''],
    ],
  )
  assert.match(errors[3]!.message, /has 2 fields, and the header has 5/)
  assert.match(errors[6]!.message, /never closed/)
  assert.ok(!JSON.stringify(errors).includes(secret))
  const { body } = await app.get(`/persons/imports/${done.id}/errors?limit=2&row[gt]=3`)
  assert.deepEqual([body.total, body.items[0].row, body.items.length], [4, 4, 2])
})

test('bytes that are no UTF-8 are named by row and column, in CSV and in lines', async () => {
  const app = await startApp()
  const bad = Buffer.from([0xe9, 0xe8])
  const file = Buffer.concat([
    Buffer.from('first_name,last_name\nZoë,Fine\nx,'),
    bad,
    Buffer.from('\nÉmile,Fine\n'),
  ])
  const done = await runImport(app, file)
  assert.deepEqual(counts(done), { status: 'done', counts: [3, 3, 2, 0, 1] })
  const [error] = await errorsOf(app, done)
  assert.deepEqual(
    [error!.row, error!.column, error!.message],
    [3, 'last_name', 'holds bytes that are not UTF-8'],
  )
  const lines = Buffer.concat([
    Buffer.from('{"last_name":"a"}\n{"last_name":"'),
    bad,
    Buffer.from('"}\n[]\n{"last_name":\n{"last_name":"\\ud800"}\n{"nonsense":1}\n'),
  ])
  const lined = await runImport(app, lines, '', { headers: ndjson })
  assert.deepEqual(
    (await errorsOf(app, lined)).map(({ row, column }) => [row, column]),
    [
      [2, ''],
      [3, ''],
      [4, ''],
      [5, 'last_name'],
      [6, 'nonsense'],
    ],
  )
  assert.equal(lined.created, 1)
})

test('what is wrong with the header or the query refuses the file as a whole, everything at once', async () => {
  const app = await startApp()
  const cases: [string, string, string[]][] = [
    [
      '',
      'first_name,nonsense,,last_name,first_name\n1,2,3,4,5',
      ['columns.nonsense', 'columns.3', 'columns.first_name'],
    ],
    ['', '', ['']],
    ['', '\n', ['columns.1']],
    ['', 'first_name\n', ['']],
    ['', 'emails,email\na@example.org,b@example.org', ['columns.email']],
    ['', 'address,address.street\na,b', ['columns.address.street']],
    ['', 'address.nonsense\na', ['columns.address.nonsense']],
    ['', 'accounts\na', ['columns.accounts']],
    ['', 'sessions,emails.created_on\na,b', ['columns.sessions', 'columns.emails.created_on']],
    ['?mapping[Nom]=last_name&mapping[x]=', 'first_name\na', ['mapping.Nom', 'mapping.x']],
    ['?mapping={', 'first_name\na', ['mapping']],
    ['?mapping[first_name]=', 'first_name\na', ['columns']],
    ['?mapping[first_name]=__proto__', 'first_name\na', ['columns.first_name']],
    [
      '?match=phone&dry_run=maybe&format=xml&nonsense=1',
      'first_name\na',
      ['nonsense', 'dry_run', 'format', 'match'],
    ],
  ]
  for (const [query, text, wrong] of cases)
    assert.deepEqual(paths(await sendFile(app, text, query)), wrong, `${query} ${text}`)
  assert.deepEqual(paths(await sendFile(app, Buffer.from('\xff\xfea\0b\0', 'latin1'))), ['columns'])
  assert.deepEqual(paths(await sendFile(app, '{}', '?mapping[a]=b', { headers: ndjson })), ['mapping'])
  assert.deepEqual(paths(await sendFile(app, 'a\nb', '', { headers: { 'content-type': 'text/plain' } })), [
    'format',
  ])
  assert.deepEqual(paths(await app.call('POST', '/persons/import')), [''])
  assert.equal(
    (await sendFile(app, '[]', '', { headers: { 'content-type': 'application/json' } })).status,
    415,
  )
  assert.equal(
    (await sendFile(app, 'a', '', { headers: { 'content-type': 'text/csv; charset=latin1' } })).status,
    415,
  )
  assert.equal((await app.get('/persons/imports')).body.total, 0)
  const { rows } = await sql`select 1 from imports where environment_id = ${app.environment.id}`.execute(
    app.context.db,
  )
  assert.deepEqual(rows, [])
})

test('a quote that is never closed does not swallow a large file', async () => {
  const app = await startApp()
  const text = `first_name\nAnn\n"${'x'.repeat(1_100_000)}\nBob\n`
  assert.deepEqual(paths(await sendFile(app, text)), ['rows.3'])
  assert.deepEqual(
    paths(await sendFile(app, `{}\n{"a":"${'x'.repeat(1_100_000)}"}`, '', { headers: ndjson })),
    ['rows.2'],
  )
  assert.equal((await app.get('/persons')).body.total, 0)
})

test('a form carries one file, whose type, name or the query tell its format', async () => {
  const app = await startApp()
  const line = '{"last_name":"One"}'
  for (const [name, type, text, query] of [
    ['persons.CSV', 'application/octet-stream', 'last_name\nOne', ''],
    ['persons', 'text/csv', 'last_name\nOne', ''],
    ['persons.jsonl', 'application/octet-stream', line, ''],
    ['persons.txt', 'text/plain', line, '?format=ndjson'],
  ] as const)
    assert.equal((await runImport(app, form([name, type, text]), query)).created, 1, name)
  assert.deepEqual(
    paths(await sendFile(app, form(['a', 'text/csv', 'last_name\nOne'], ['b', 'text/csv', 'x']))),
    ['file'],
  )
  const withField = form()
  withField.append('dry_run', 'true')
  assert.deepEqual(paths(await sendFile(app, withField)), ['dry_run'])
  assert.deepEqual(paths(await sendFile(app, form(['x.txt', 'text/plain', 'a']))), ['format'])
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  assert.deepEqual(paths(await sendFile(app, '--x--\r\n', '', { headers })), [''])
  const cut = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nlast_name\nOne'
  assert.deepEqual(paths(await sendFile(app, cut, '', { headers })), [''])
  assert.equal((await app.get('/persons')).body.total, 4)
})
