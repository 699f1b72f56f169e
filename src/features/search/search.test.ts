import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addAsset, addPerson, addTag } from '../../../test/harness/factories.ts'
import { addPublication, readerToken, text } from '../../../test/harness/publications.ts'
import { faults } from '../../../test/harness/records/kind.ts'

const addOfEach = async (app: TestApp) => ({
  publication: await addPublication(app, { 'en-US': { title: text('Radio Orchestra', 'H1') } }),
  asset: await addAsset(app, { name: 'Orchestra on stage' }),
  person: await addPerson(app, { first_name: 'Orchestra', last_name: 'Fan' }),
  tag: await addTag(app, { body: 'Orchestras' }),
})

test('one search finds publications, assets, persons and tags, each with its total', async () => {
  const app = await startApp()
  const each = await addOfEach(app)
  // Typing errors in publications are mended by words that are learned beside the request.
  await eventually(async () => (await app.get('/search?q=orchestar')).body.total === 4)
  for (const q of ['orchestra', 'orchestar', 'ORCH'])
    for (const locale of ['', '&locale=en-US']) {
      const { status, body, text: answer } = await app.get(`/search?q=${q}${locale}`)
      assert.equal(status, 200, answer)
      assert.equal(body.total, 4, `${q} ${answer}`)
      const labels = ['publications', 'assets', 'persons', 'tags'].map((name) => body[name].items[0].label)
      assert.deepEqual(labels, ['Publication', each.asset.label, 'Person', 'Tag'])
      assert.deepEqual(body.publications.items[0].title, { 'en-US': 'Radio Orchestra' })
      assert.equal(body.persons.items[0].id, each.person.id)
    }
  const both = (await app.get('/search?q=orchestra fan')).body
  assert.deepEqual([both.total, both.persons.total], [1, 1])
})

test('what a token may not read it does not find', async () => {
  const app = await startApp()
  await addOfEach(app)
  const { body } = await app.get('/search?q=orchestra', { scopes: ['assets', 'channels'] })
  assert.deepEqual([body.total, Object.keys(body).sort()], [2, ['assets', 'tags', 'total']])
  const seen = (await app.get('/search?q=orchestra', { token: await readerToken(app) })).body
  assert.deepEqual([seen.total, seen.publications], [1, { total: 0, items: [] }])
  const other = await app.addToken({ environment: await app.addEnvironment() })
  assert.equal((await app.get('/search?q=orchestra', { token: other.value })).body.total, 0)
})

test('each group is cut to the limit, its total is not', async () => {
  const app = await startApp()
  for (let n = 0; n < 7; n += 1) await addTag(app, { body: `Orchestra ${n}` })
  const { tags, total } = (await app.get('/search?q=orchestra')).body
  assert.deepEqual([total, tags.total, tags.items.length], [7, 7, 5])
  assert.equal((await app.get('/search?q=orchestra&limit=2')).body.tags.items.length, 2)
})

test('a search without words, with another limit or an unknown locale is refused', async () => {
  const app = await startApp()
  assert.deepEqual(faults(await app.get('/search')), ['q'])
  assert.deepEqual(faults(await app.get('/search?q=%26%26')), ['q'])
  assert.deepEqual(faults(await app.get('/search?q=a&limit=26')), ['limit'])
  assert.deepEqual(faults(await app.get('/search?q=a&limit=x')), ['limit'])
  assert.deepEqual(faults(await app.get('/search?q=a&locale=xx')), ['locale'])
  assert.deepEqual(faults(await app.get('/search?q=a&sort=name')), ['sort'])
})
