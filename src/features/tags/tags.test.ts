import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { actorIn, addPerson, addTag } from '../../../test/harness/factories.ts'
import { eventsOf, faults } from '../../../test/harness/records/kind.ts'
import { checkRecords } from '../../../test/harness/records.ts'
import { transaction } from '../../database/transaction.ts'
import { ensureTags } from './ensure.ts'

checkRecords({
  path: '/tags',
  label: 'Tag',
  table: 'tags',
  text: 'body',
  slug: true,
  read: [],
  write: ['tags_publish'],
  remove: ['tags_publish'],
  whole: {
    json: { body: 'Politics & more', slug: 'politics' },
    form: [
      ['body', 'Politics & more'],
      ['slug', 'politics'],
    ],
  },
  wrong: { body: { body: 7, slug: ['a'], label: 'x', other: 1 }, paths: ['body', 'other', 'slug'] },
})

test('a tag body is taken whatever its case, by POST and by PUT', async () => {
  const app = await startApp()
  await addTag(app, { body: 'Élections' })
  const { body } = await app.post('/tags', { body: 'Sport' })
  assert.deepEqual(faults(await app.post('/tags', { body: 'éLECTIONS' }), 409), ['body'])
  assert.deepEqual(faults(await app.put(`/tags/${body.id}`, { body: 'ÉLECTIONS' }), 409), ['body'])
  assert.equal((await app.put(`/tags/${body.id}`, { body: 'SPORT' })).body.body, 'SPORT')
  assert.equal((await app.get('/tags')).body.total, 2)
})

test('a deleted tag is taken off the persons that had it, and they stay', async () => {
  const app = await startApp()
  const tag = await addTag(app)
  const kept = await addTag(app)
  const person = await addPerson(app, { tags: [tag.id, kept.id] })
  assert.equal((await app.delete(`/tags/${tag.id}`)).status, 204)
  const links = await app.context.db
    .selectFrom('person_tags')
    .selectAll()
    .where('person_key', '=', person.key)
    .execute()
  assert.deepEqual(
    links.map((link) => link.tag_id),
    [kept.id],
  )
})

test('tags are found by body in any case, made when missing, and given in the order asked for', async () => {
  const app = await startApp()
  const news = await addTag(app, { body: 'News', slug: 'own-slug' })
  const sport = await addTag(app, { body: 'Spört', slug: 'music' })
  const tags = await transaction(app.context, (tx) =>
    ensureTags(tx, actorIn(app), ['Music', 'nEWS', 'music', 'SPÖRT', 'İ', 'i̇']),
  )
  assert.deepEqual(
    tags.slice(0, 4).map((tag) => [tag.id, tag.body, tag.slug]),
    [
      [tags[2]!.id, 'Music', 'music-2'],
      [news.id, 'News', 'own-slug'],
      [tags[0]!.id, 'Music', 'music-2'],
      [sport.id, 'Spört', 'music'],
    ],
  )
  assert.deepEqual(await eventsOf(app, tags[0]!.id), ['tag.created'])
  assert.deepEqual(await eventsOf(app, news.id), ['tag.created'])
  assert.deepEqual(await transaction(app.context, (tx) => ensureTags(tx, actorIn(app), [])), [])
})

test('50 parallel requests for the same tags, in any order, make each of them once', async () => {
  const app = await startApp()
  const wanted = ['Alpha', 'alpha!', 'Beta', 'Gamma']
  const rounds = Array.from({ length: 50 }, (_, index) => (index % 2 ? wanted : wanted.toReversed()))
  const found = await Promise.all(
    rounds.map((bodies) => transaction(app.context, (tx) => ensureTags(tx, actorIn(app), bodies))),
  )
  for (const body of wanted)
    assert.equal(new Set(found.map((tags) => tags.find((tag) => tag.body === body)!.id)).size, 1)
  assert.equal((await app.get('/tags')).body.total, 4)
})

test('tags of another environment are not found by body', async () => {
  const app = await startApp()
  const foreign = await addTag(app, { body: 'Shared', environment: await app.addEnvironment() })
  const [tag] = await transaction(app.context, (tx) => ensureTags(tx, actorIn(app), ['Shared']))
  assert.notEqual(tag!.id, foreign.id)
})
