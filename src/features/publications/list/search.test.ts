import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addPublication, setLocales, text } from '../../../../test/harness/publications.ts'
import { relearnWords } from './jobs.ts'

const found = async (app: TestApp, query: string): Promise<string[]> => {
  const { status, body, text: answer } = await app.get(`/publications?fields=title&${query}`)
  assert.equal(status, 200, answer)
  assert.equal(body.total, body.items.length)
  return body.items.map(({ title }: { title: Record<string, string> }) => Object.values(title)[0])
}

const search = (app: TestApp, words: string, more = '') => found(app, `q=${encodeURIComponent(words)}${more}`)

/** Title → text, each in the given locale; what they hold is known to the vocabulary when this returns. */
const addTexts = async (app: TestApp, locale: string, texts: Record<string, string>): Promise<void> => {
  for (const [title, body] of Object.entries(texts))
    await addPublication(app, { [locale]: { title: text(title, 'H1'), body: text(body) } })
  const last = Object.values(texts)
    .at(-1)!
    .match(/[\p{L}\p{M}]{3,}/gu)
  if (!last || /\p{sc=Han}|\p{sc=Thai}/u.test(last[0])) return
  await eventually(async () => {
    const rows = await app.sql<object[]>`select 1 from vocabulary
      where environment_id = ${app.environment.id} and word = fold(${last.at(-1)!})`
    return rows.length > 0
  })
}

test('words are found in any form that their language gives them, in the title and in any text', async () => {
  const app = await startApp()
  await addTexts(app, 'en-US', { Running: 'a study of <b>horses</b>', Other: 'nothing here' })
  await addTexts(app, 'nl-NL', { Fietsen: 'over paarden en wielen' })
  for (const words of ['run', 'runs', 'horse', 'studies', 'RUNNING horses'])
    assert.deepEqual(await search(app, words), ['Running'], words)
  for (const words of ['fiets', 'paard', 'wiel', 'paarden'])
    assert.deepEqual(await search(app, words), ['Fietsen'], words)
  assert.deepEqual(await search(app, 'paard', '&locale=en-US'), [])
  assert.deepEqual(await search(app, 'paard', '&locale=nl-NL'), ['Fietsen'])
  assert.deepEqual(await search(app, 'running nothing'), [])
  assert.deepEqual(await found(app, 'title=horses'), [])
  assert.deepEqual(await found(app, 'title[fz]=runs'), ['Running'])
})

test('the words of a language that mean little are found too', async () => {
  const app = await startApp()
  await addTexts(app, 'en-US', { 'The Who': 'a band', Others: 'somebody else' })
  assert.deepEqual(await search(app, 'the who'), ['The Who'])
})

test('a word that is begun finds what it begins, one with typing errors what was meant', async () => {
  const app = await startApp()
  await addTexts(app, 'en-US', { Orchestra: 'philharmonic evening', Festival: 'music outside' })
  const meant = {
    Orchestra: [
      'orch',
      'orchstra',
      'orchestar',
      'ochrestra',
      'xrchestra',
      'orchestrx',
      'philarmonik',
      'philhar',
      'evenign',
    ],
    Festival: ['fest', 'festval', 'fetsival', 'festivla', 'musci', 'muzic', 'mus', 'outsdie'],
  }
  for (const [title, words] of Object.entries(meant))
    for (const word of words) {
      assert.deepEqual(await search(app, word), [title], word)
      assert.deepEqual(await search(app, word, '&locale=en-US'), [title], word)
    }
  for (const word of ['oxxxestra', 'mzzic', 'mu', 'muq', '2026'])
    assert.deepEqual(await search(app, word), [], word)
})

test('a word that is known is not taken for another', async () => {
  const app = await startApp()
  await addTexts(app, 'en-US', { Horse: 'one', House: 'two', Mouse: 'three' })
  assert.deepEqual(await search(app, 'house'), ['House'])
  assert.deepEqual((await search(app, 'rouse')).sort(), ['House', 'Mouse'])
})

test('case and accents do not matter', async () => {
  const app = await startApp()
  await addTexts(app, 'en-US', { 'Zürich café': 'Ærø', Other: 'Łódź' })
  for (const words of ['zurich', 'ZÜRICH', 'cafe', 'aero', 'Ærø'])
    assert.deepEqual(await search(app, words), ['Zürich café'], words)
  assert.deepEqual(await search(app, 'lodz'), ['Other'])
})

test('scripts that do not part words are found by any stretch of them', async () => {
  const app = await startApp()
  await setLocales(app, ['ja-JP', 'th-TH', 'en-US'])
  await addTexts(app, 'ja-JP', { 東京都の天気: 'カードで払う iPhone手机' })
  await addTexts(app, 'th-TH', { ภาษาไทย: 'สวัสดีครับ' })
  for (const words of ['東京', '京都', '天気', '東', '気', 'カード', '払う', 'iphone', '手机'])
    assert.deepEqual(await search(app, words), ['東京都の天気'], words)
  for (const words of ['ไทย', 'สวัสดี', 'ภาษาไทย'])
    assert.deepEqual(await search(app, words), ['ภาษาไทย'], words)
  for (const words of ['都京', '大阪', 'ยไ']) assert.deepEqual(await search(app, words), [], words)
})

test('titles that are nothing but the words come first, then titles that hold them, then the newest', async () => {
  const app = await startApp()
  await addTexts(app, 'en-US', {
    'Music today': 'first',
    'One thing': 'about music',
    Music: 'second',
    'Two things': 'more music',
    'New music': 'third',
  })
  for (const locale of ['', '&locale=en-US']) {
    assert.deepEqual(await search(app, 'music', locale), [
      'Music',
      'New music',
      'Music today',
      'Two things',
      'One thing',
    ])
    assert.deepEqual(await search(app, 'music', `${locale}&sort=created_on`), [
      'Music today',
      'One thing',
      'Music',
      'Two things',
      'New music',
    ])
  }
})

test('whatever is searched for never becomes a query of its own', async () => {
  const app = await startApp()
  await addTexts(app, 'en-US', { "It's": 'a & b', Other: 'a | b' })
  for (const words of [
    "it's",
    'a & !b',
    "' | 'x",
    'a:*',
    'a <-> b',
    '\\',
    "'); drop table vocabulary; --",
    '*',
    'a\u2019b',
  ])
    for (const locale of ['', '&locale=en-US']) {
      const { status } = await app.get(`/publications?q=${encodeURIComponent(words)}${locale}`)
      assert.equal(status, /[a-z]/i.test(words) ? 200 : 400, words)
    }
  assert.deepEqual(await search(app, "it's"), ["It's"])
  const long = await app.get(`/publications?q=${'word%20'.repeat(300)}`)
  assert.equal(long.status, 200)
})

test('words that were lost are learned again, and words that are gone are forgotten', async () => {
  const app = await startApp()
  await addTexts(app, 'en-US', { Orchestra: 'tonight' })
  const { id } = app.environment
  const words = async () =>
    (
      await app.sql<
        { word: string }[]
      >`select word from vocabulary where environment_id = ${id} order by word`
    ).map(({ word }) => word)
  assert.deepEqual(await words(), ['orchestra', 'tonight'])
  await app.sql`update vocabulary set word = 'unheard', seen_on = current_date - 2 where word = 'tonight' and environment_id = ${id}`
  await relearnWords(app.context)
  assert.deepEqual(await words(), ['orchestra', 'tonight'])
})
