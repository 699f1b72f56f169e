import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp, type TestApp } from '../../test/harness/app.ts'
import { addPerson } from '../../test/harness/factories.ts'
import { listPage } from './page.ts'
import { wordsOf } from './search.ts'

const list = {
  table: 'persons',
  family: 'audience',
  filters: { name: { type: 'text', column: 'first_name', operators: ['fz'], bare: 'fz' } },
  sorts: { id: { type: 'text' } },
  defaultSort: 'id',
} as const

const startWith = async (...names: string[]): Promise<TestApp> => {
  const app = await startApp()
  for (const first_name of names) await addPerson(app, { first_name })
  return app
}

const search = async (app: TestApp, words: string): Promise<string[]> => {
  const request = { limit: 100, skip: 0, total: true, filter: { name: words } }
  const page = await listPage<{ first_name: string }>(app.context, list, app.environment.id, request)
  assert.equal(page.total, page.rows.length)
  return page.rows.map((row) => row.first_name)
}

test('a word with one typing error is found: exchanged, missing, doubled or wrong letters', async () => {
  const app = await startWith('Website', 'Our radio station', 'Politics', 'Television news', 'Sport')
  for (const [typed, found] of [
    ['wesbite', 'Website'],
    ['webiste', 'Website'],
    ['ewbsite', 'Website'],
    ['wbsite', 'Website'],
    ['webbsite', 'Website'],
    ['websute', 'Website'],
    ['raido', 'Our radio station'],
    ['rdaio', 'Our radio station'],
    ['poltiics', 'Politics'],
    ['politcs', 'Politics'],
    ['televisoin', 'Television news'],
    ['spotr', 'Sport'],
  ] as const)
    assert.deepEqual(await search(app, typed), [found], typed)
})

test('case and accents do not matter, in the text or in the search', async () => {
  const app = await startWith('Zürich', 'CAFÉ CRÈME', 'Straße', 'Łódź')
  for (const [typed, found] of [
    ['zurich', 'Zürich'],
    ['ZÜRICH', 'Zürich'],
    ['zuirch', 'Zürich'],
    ['cafe', 'CAFÉ CRÈME'],
    ['crème', 'CAFÉ CRÈME'],
    ['strasse', 'Straße'],
    ['lodz', 'Łódź'],
  ] as const)
    assert.deepEqual(await search(app, typed), [found], typed)
})

test('short words have no typing errors: they are found as they are or as the start of a word', async () => {
  const app = await startWith('car', 'Cars and more', 'cat', 'category', 'concatenate', 'act', 'the scat')
  assert.deepEqual((await search(app, 'cat')).sort(), ['cat', 'category'])
  assert.deepEqual((await search(app, 'car')).sort(), ['Cars and more', 'car'])
  assert.deepEqual(await search(app, 'ac'), ['act'])
  assert.deepEqual(await search(app, 'teh'), [])
})

test('another word is not taken for a typing error', async () => {
  const app = await startWith('house', 'mouse', 'west side', 'write', 'from', 'weather', 'webs')
  for (const typed of ['wesbite', 'louse', 'farm', 'website', 'leather'])
    assert.deepEqual(await search(app, typed), [], typed)
})

test('the whole word comes before its start, that before a near one, and short texts before long ones', async () => {
  const app = await startWith(
    'A long story about the sport of kings',
    'spork',
    'Sports',
    'sport',
    'watersport',
  )
  assert.deepEqual(await search(app, 'sport'), [
    'sport',
    'A long story about the sport of kings',
    'Sports',
    'spork',
    'watersport',
  ])
})

test('every word must be found, in any order, with punctuation between or not', async () => {
  const app = await startWith('Radio-Sport (live)', 'Radio', 'Sport', "l'été")
  assert.deepEqual(await search(app, 'sport, radio!'), ['Radio-Sport (live)'])
  assert.deepEqual(await search(app, 'live'), ['Radio-Sport (live)'])
  assert.deepEqual(await search(app, 'ete'), ["l'été"])
  assert.deepEqual(await search(app, 'sport radio opera'), [])
})

test('other scripts are found too, also those that do not part words', async () => {
  const app = await startWith('Новости Москвы', 'Αθήνα', '今日新聞', 'हिन्दी समाचार', 'أخبار')
  for (const [typed, found] of [
    ['новости', 'Новости Москвы'],
    ['новотси', 'Новости Москвы'],
    ['ΑΘΉΝΑ', 'Αθήνα'],
    ['新聞', '今日新聞'],
    ['समाचार', 'हिन्दी समाचार'],
    ['أخبار', 'أخبار'],
  ] as const)
    assert.deepEqual(await search(app, typed), [found], typed)
})

test('a page of ranked results goes on where it stopped', async () => {
  const app = await startWith(...Array.from({ length: 30 }, (_, index) => `Sport ${'x'.repeat(index % 7)}`))
  const seen = new Set<string>()
  let after: string | undefined
  for (let pages = 0; pages < 10; pages += 1) {
    const request = {
      limit: 4,
      skip: 0,
      total: false,
      filter: { name: 'sport' },
      ...(after !== undefined && { after }),
    }
    const page = await listPage<{ id: string }>(app.context, list, app.environment.id, request)
    for (const { id } of page.rows) {
      assert.equal(seen.has(id), false)
      seen.add(id)
    }
    after = page.after
  }
  assert.equal(seen.size, 30)
})

test('a search is cut to what can be answered', async () => {
  assert.deepEqual(wordsOf('  ,, !! '), [])
  assert.deepEqual(wordsOf('a A a'), ['a', 'A'])
  assert.equal(wordsOf(Array.from({ length: 50 }, (_, index) => `w${index}`).join(' ')).length, 12)
  assert.equal(wordsOf('𝒳'.repeat(1000))[0]!.isWellFormed(), true)
  const app = await startWith(`${'long'.repeat(500)} word`, '')
  assert.deepEqual((await search(app, 'word')).length, 1)
  assert.deepEqual(await search(app, 'ﷺ'.repeat(500)), [])
  assert.deepEqual(await search(app, 'ß'.repeat(64)), [])
})
