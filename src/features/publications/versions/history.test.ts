import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addModel } from '../../../../test/harness/factories.ts'
import {
  addPublication,
  type Loose,
  readPublication,
  setLocales,
  storedVersions,
  text,
} from '../../../../test/harness/publications.ts'
import { pruneVersions } from './jobs.ts'

const locales = ['en-US', 'nl-NL', 'de-DE', 'fr-FR']
const fields = ['title', 'intro', 'text', 'price']
const versionAt = (app: TestApp, id: string, version: number) =>
  app.get(`/publications/${id}/versions/${version}`)
const pick = <T>(list: T[], number: number): T => list[number % list.length]!

/** Numbers that look random and are the same in every run. */
const numbersFrom = (seed: number) => () => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed
}

/** One of many kinds of changes: a field of a locale, one for all, a status, a slug, a locale that comes or goes. */
const someChange = (next: () => number, index: number): object => {
  const locale = pick(locales, next())
  const kind = next() % 10
  const value = pick(fields, next())
  if (kind < 5) return { items: { [locale]: { [value]: text(`${value} ${index}`) } } }
  if (kind === 5) return { items: { [locale]: null } }
  if (kind === 6) return { items: { 'en-US': { code: text(`code ${index}`, 'CODE') } } }
  if (kind === 7) return { slug: { [locale]: `slug-${index}` } }
  if (kind === 8) return { status: { [locale]: { body: pick(['Done', 'Review', 'To do'], next()) } } }
  return { publish_on: { [locale]: 1_700_000_000 + index } }
}

/** A publication with so many versions, and what a read showed after each. */
const withHistory = async (app: TestApp, count: number, seed: number) => {
  await setLocales(app, locales)
  const model = await addModel(app, {
    fields: [...fields, 'code'].map((api_id) => ({ api_id, label: 'Text', localized: api_id !== 'code' })),
  } as never)
  const first = await addPublication(
    app,
    { 'en-US': { title: text('Begin'), code: text('x', 'CODE') } },
    { model: { id: model.id } },
  )
  const shown: Loose[] = [first]
  const next = numbersFrom(seed)
  for (let index = 0; shown.length < count; index += 1) {
    const answer = await app.put(`/publications/${first.id}?fields=items`, someChange(next, index))
    assert.equal(answer.status, 200, answer.text)
    if ((await storedVersions(app, first.id)).length > shown.length) shown.push(answer.body)
  }
  return { id: first.id as string, shown }
}

/** What a version says, without when it was said. */
const said = ({ changed_on: _changed, ...rest }: Loose) => rest

test('each of 50 versions is read, compared and restored as it was', async () => {
  const app = await startApp()
  const { id, shown } = await withHistory(app, 50, 7)
  for (const [index, was] of shown.entries())
    assert.deepEqual((await versionAt(app, id, index + 1)).body, was, `version ${index + 1}`)
  for (const [index, was] of shown.entries()) {
    const restored = await app.post(`/publications/${id}/versions/${index + 1}/restore?fields=items`)
    assert.equal(restored.status, 200, restored.text)
    assert.deepEqual(said(restored.body), said(was), `version ${index + 1}`)
    assert.deepEqual(await readPublication(app, id), restored.body)
    const { body } = await app.get(`/publications/${id}/versions/${index + 1}/compare`)
    assert.deepEqual(body.items, [], `version ${index + 1}`)
  }
  for (const [index, was] of shown.entries())
    assert.deepEqual((await versionAt(app, id, index + 1)).body, was, `version ${index + 1} later`)
})

test('pruning keeps the newest versions, each as it was', async () => {
  const app = await startApp()
  const { id, shown } = await withHistory(app, 30, 11)
  const untouched = await addPublication(app)
  const keep = (versions_kept: number | null) =>
    app.put(`/environments/${app.environment.id}`, { settings: { versions_kept } })
  await pruneVersions(app.context)
  assert.equal(
    (await storedVersions(app, id)).length,
    30,
    'all are kept unless the environment says otherwise',
  )
  for (const kept of [29, 12, 3, 1]) {
    assert.equal((await keep(kept)).status, 200)
    await pruneVersions(app.context)
    await pruneVersions(app.context)
    const { body } = await app.get(`/publications/${id}/versions?limit=100`)
    assert.deepEqual(
      body.items.map(({ version }: Loose) => version),
      shown
        .map((_, index) => index + 1)
        .slice(-kept)
        .toReversed(),
    )
    for (const [index, was] of shown.entries()) {
      const answer = await versionAt(app, id, index + 1)
      if (index < 30 - kept) assert.equal(answer.status, 404)
      else assert.deepEqual(answer.body, was, `version ${index + 1} of ${kept}`)
    }
  }
  assert.equal((await versionAt(app, untouched.id, 1)).status, 200)
  await keep(null)
  const changed = await app.put(`/publications/${id}?fields=items`, {
    items: { 'en-US': { title: text('After') } },
  })
  await pruneVersions(app.context)
  assert.deepEqual((await versionAt(app, id, 31)).body, changed.body)
  assert.deepEqual((await versionAt(app, id, 30)).body, shown[29])
})

test('what is pruned in the trash still comes back whole', async () => {
  const app = await startApp()
  const { id, shown } = await withHistory(app, 10, 23)
  await app.put(`/environments/${app.environment.id}`, { settings: { versions_kept: 1 } })
  await app.delete(`/publications/${id}`)
  await pruneVersions(app.context)
  assert.equal((await storedVersions(app, id)).length, 1)
  const { body } = await app.post(`/publications/${id}/restore?fields=items`)
  assert.deepEqual(said(body), said(shown.at(-1)))
})

test('how many versions are kept is a whole number from 1', async () => {
  const app = await startApp()
  for (const versions_kept of [0, -1, 1.5, '5'])
    assert.equal(
      (await app.put(`/environments/${app.environment.id}`, { settings: { versions_kept } })).status,
      400,
    )
})

test('restores that race with changes and with pruning lose nothing', async () => {
  const app = await startApp()
  const { id, shown } = await withHistory(app, 8, 5)
  await app.put(`/environments/${app.environment.id}`, { settings: { versions_kept: 25 } })
  const put = (index: number) =>
    app.put(`/publications/${id}`, {
      items: { 'fr-FR': { intro: text(`race ${index}`) } },
      model: null,
    })
  const restore = (version: number) => app.post(`/publications/${id}/versions/${version}/restore`)
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      index % 3 === 0 ? restore(1 + (index % 8)) : index % 3 === 1 ? put(index) : pruneVersions(app.context),
    ),
  )
  for (const answer of answers) if (answer) assert.equal(answer.status, 200, answer.text)
  const stored = await storedVersions(app, id)
  assert.deepEqual(
    stored.map(({ version }) => version),
    stored.map((_, index) => index + 1),
    'one after the other',
  )
  const last = await versionAt(app, id, stored.length)
  assert.deepEqual(last.body, await readPublication(app, id), 'the newest version is what is there')
  assert.deepEqual((await versionAt(app, id, 8)).body, shown[7])
})
