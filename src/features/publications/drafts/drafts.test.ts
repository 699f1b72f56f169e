import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addAsset, addChannel, addModel, addTag } from '../../../../test/harness/factories.ts'
import {
  addPublication,
  changePublication,
  type Loose,
  readerToken,
  readPublication,
  storedVersions,
  text,
  versionOf,
} from '../../../../test/harness/publications.ts'
import { faults } from '../../../../test/harness/records/kind.ts'

const draftOf = (id: string) => `/publications/${id}?draft=true&fields=items`
const save = async (app: TestApp, id: string, body: object, headers: Record<string, string> = {}) => {
  const answer = await app.put(draftOf(id), body, { headers })
  assert.equal(answer.status, 200, answer.text)
  return answer
}
const publish = (app: TestApp, id: string, body?: object, headers: Record<string, string> = {}) =>
  app.post(`/publications/${id}/publish?fields=items`, body, { headers })
const en = (items: object) => ({ items: { 'en-US': items } })
const nl = (items: object) => ({ items: { 'nl-NL': items } })
const eventsOf = async (app: TestApp, id: string) => {
  const { rows } = { rows: await app.sql.rows<Loose>(`select event from events where record_id = '${id}'`) }
  return rows
}

test('a draft is seen by who asks for it and by nobody else, until it is published as one version', async () => {
  const app = await startApp()
  const before = await addPublication(app, { 'en-US': { title: text('One'), intro: text('Intro') } })
  const { id } = before
  const saved = await save(app, id, { ...en({ title: text('Two') }), status: { 'en-US': { body: 'Done' } } })
  assert.equal(saved.body.items['en-US'].title.body, 'Two')
  assert.equal(saved.body.items['en-US'].intro.body, 'Intro')
  await save(app, id, nl({ title: text('Drie') }))
  assert.deepEqual(await readPublication(app, id), before)
  assert.equal((await storedVersions(app, id)).length, 1)
  const read = await app.get(draftOf(id))
  assert.deepEqual([read.body.locales, read.body.slug['nl-NL']], [['en-US', 'nl-NL'], 'drie'])
  assert.equal(read.body.status['en-US'].body, 'Done')
  const published = await publish(app, id)
  assert.equal(published.status, 200, published.text)
  assert.deepEqual(published.body.items, read.body.items)
  const versions = await storedVersions(app, id)
  assert.deepEqual(
    versions.map(({ event }) => event),
    ['created', 'changed'],
  )
  assert.equal((await publish(app, id)).status, 409)
  assert.deepEqual((await app.get(draftOf(id))).body, await readPublication(app, id))
})
