import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addChannel, addModel } from '../../../../test/harness/factories.ts'
import {
  addPublication,
  changePublication,
  type Loose,
  readerToken,
  storedVersions,
  text,
} from '../../../../test/harness/publications.ts'
import { faults } from '../../../../test/harness/records/kind.ts'

const done = { status: { 'en-US': { body: 'Done' } } }
const day = 86_400_000
const from = (days: number) => new Date(Date.now() + days * day).toISOString()
const shownAt = (app: TestApp, id: string, at: string, query = 'fields=items') =>
  app.get(`/publications/${id}?at=${at}&${query}`)
const listAt = async (app: TestApp, at: string, query = '') => {
  const answer = await app.get(`/publications?at=${at}${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const ids = (body: Loose): string[] => body.items.map((item: Loose) => item.id)

/** As if the versions had been written so many days ago. */
const age = (app: TestApp, id: string, ...days: number[]) =>
  Promise.all(
    days.map((ago, index) =>
      app.context.db
        .updateTable('publication_versions')
        .set({ created_on: new Date(Date.now() - ago * day) })
        .where('publication_id', '=', id)
        .where('version', '=', index + 1)
        .execute(),
    ),
  )

test('a time to come shows what will be published then', async () => {
  const app = await startApp()
  const { id } = await addPublication(
    app,
    { 'en-US': { title: text('Soon') }, 'nl-NL': { title: text('Straks') } },
    {
      ...done,
      publish_on: { 'en-US': from(2) },
      expire_on: { 'en-US': from(4) },
    },
  )
  const unfinished = await addPublication(app)
  for (const [days, seen] of [
    [1, false],
    [3, true],
    [5, false],
  ] as const) {
    const one = await shownAt(app, id, from(days), 'fields=items,published')
    assert.equal(one.status, seen ? 200 : 404, one.text)
    if (seen) assert.deepEqual([one.body.locales, one.body.published], [['en-US'], { 'en-US': true }])
    const list = await listAt(app, from(days))
    assert.deepEqual([ids(list), list.total], seen ? [[id], 1] : [[], 0])
    assert.deepEqual(ids(await listAt(app, from(days), '&locale=nl-NL')), [])
    assert.deepEqual(
      ids(await listAt(app, from(days), '&locale=en-US&q=soon&sort=publish_on')),
      seen ? [id] : [],
    )
  }
  assert.equal((await shownAt(app, unfinished.id, from(3))).status, 404)
})

test('totals of a time to come follow what is written', async () => {
  const app = await startApp()
  const at = from(3)
  assert.equal((await listAt(app, at)).total, 0)
  const { id } = await addPublication(app, undefined, done)
  assert.equal((await listAt(app, at)).total, 1)
  await changePublication(app, id, { expire_on: { 'en-US': from(2) } })
  assert.equal((await listAt(app, at)).total, 0)
})

test('a past time shows what was published then, with its content, deleted ones too', async () => {
  const app = await startApp()
  const { id } = await addPublication(app, { 'en-US': { title: text('First') } }, done)
  await changePublication(app, id, {
    items: { 'en-US': { title: text('Second') }, 'nl-NL': { title: text('Twee') } },
  })
  await changePublication(app, id, { status: { 'en-US': { body: 'Review' } } })
  await changePublication(app, id, { ...done, items: { 'en-US': { title: text('Fourth') } } })
  await app.delete(`/publications/${id}`)
  await age(app, id, 10, 8, 6, 4, 2)
  for (const [days, title] of [
    [-11, null],
    [-9, 'First'],
    [-7, 'Second'],
    [-5, null],
    [-3, 'Fourth'],
    [-1, null],
  ] as const) {
    const one = await shownAt(app, id, from(days))
    assert.equal(one.status, title ? 200 : 404, `${days} ${one.text}`)
    if (title) {
      assert.equal(one.body.items['en-US'].title.body, title)
      assert.deepEqual(one.body.locales, ['en-US'])
    }
    const list = await listAt(app, from(days), '&fields=items,title')
    assert.equal(list.total, title ? 1 : 0)
    assert.deepEqual(
      list.items.map((item: Loose) => [item.id, item.title, item.items['en-US'].title.body]),
      title ? [[id, { 'en-US': title }, title]] : [],
    )
  }
})

test('the second that a publication shows as its creation has it', async () => {
  const app = await startApp()
  const { id, created_on } = await addPublication(app, undefined, done)
  const one = await shownAt(app, id, encodeURIComponent(created_on))
  assert.equal(one.status, 200, one.text)
})

test('a past list is filtered by what versions hold, and walked by cursor', async () => {
  const app = await startApp()
  const model = await addModel(app, { fields: [{ api_id: 'title', label: 'Text' }] } as never)
  const [one, two] = [await addChannel(app), await addChannel(app)]
  const made: string[] = []
  for (let index = 0; index < 7; index += 1) {
    const channels = [{ id: one.id }, ...(index % 2 ? [{ id: two.id }] : [])]
    const more = { ...done, channels, ...(index < 3 && { model: { id: model.id } }) }
    const { id } = await addPublication(app, { 'en-US': { title: text(`Number ${index}`) } }, more)
    await age(app, id, 5)
    made.unshift(id)
  }
  await changePublication(app, made[0]!, { channels: [] })
  const at = from(-1)
  assert.deepEqual(ids(await listAt(app, at)), made)
  assert.deepEqual(ids(await listAt(app, at, '&sort=created_on')), made.toReversed())
  assert.deepEqual(ids(await listAt(app, at, `&channels[eq]=${two.id}`)), [made[1], made[3], made[5]])
  assert.deepEqual(ids(await listAt(app, at, `&channels[all]=${one.id},${two.id}&model[eq]=${model.id}`)), [
    made[5],
  ])
  assert.deepEqual(ids(await listAt(app, at, `&id[in]=${made[2]},${made[4]},x`)), [made[2], made[4]])
  assert.deepEqual(ids(await listAt(app, at, '&skip=5')), made.slice(5))
  const seen: string[] = []
  let page = await listAt(app, at, '&limit=3')
  for (; page.items.length > 0; page = await listAt(app, at, `&limit=3&after=${page.after}`)) {
    assert.equal(page.total, 7)
    seen.push(...ids(page))
  }
  assert.deepEqual(seen, made)
  assert.deepEqual(ids(await listAt(app, at, `&limit=3&before=${page.before}`)), made.slice(4))
  const foreign = await app.get(`/publications?at=${from(-2)}&after=${page.after}`)
  assert.deepEqual(faults(foreign), ['after'])
})

test('what cannot be told of the past is refused by name, all at once', async () => {
  const app = await startApp()
  const past = await app.get(
    `/publications?at=${from(-1)}&q=x&status[eq]=y&locale=xx-XX&sort=publish_on&model[sw]=a`,
  )
  assert.deepEqual(faults(past), ['locale', 'model.sw', 'q', 'sort', 'status'])
  assert.deepEqual(faults(await app.get('/publications?at=nonsense')), ['at'])
  assert.deepEqual(faults(await app.get('/publications/x?at=nonsense')), ['at'])
  assert.deepEqual(faults(await app.get(`/publications/x?at=${from(1)}&draft=true`)), ['draft'])
})

test('a token that sees only what is published sees another time of just that', async () => {
  const app = await startApp()
  const token = await readerToken(app)
  const seen = await addPublication(app, undefined, done)
  const coming = await addPublication(app, undefined, { ...done, publish_on: { 'en-US': from(1) } })
  const withdrawn = await addPublication(app, undefined, done)
  for (const { id } of [seen, withdrawn]) await age(app, id, 5)
  await app.put(`/publications/${withdrawn.id}`, { status: { 'en-US': { body: 'Archived' } } })
  for (const days of [-1, 2]) {
    const answers = [seen, coming, withdrawn].map(({ id }) =>
      app.get(`/publications/${id}?at=${from(days)}`, { token }),
    )
    assert.deepEqual(
      (await Promise.all(answers)).map(({ status }) => status),
      [200, 404, 404],
    )
    const list = await app.get(`/publications?at=${from(days)}`, { token })
    assert.deepEqual([ids(list.body), list.body.total], [[seen.id], 1])
  }
})

test('another environment sees nothing of the past', async () => {
  const app = await startApp()
  const { id } = await addPublication(app, undefined, done)
  await age(app, id, 5)
  const other = await startApp()
  assert.equal((await shownAt(other, id, from(-1))).status, 404)
  assert.equal((await listAt(other, from(-1))).total, 0)
  assert.equal((await storedVersions(app, id)).length, 1)
})
