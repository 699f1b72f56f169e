import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../../test/harness/app.ts'
import { addTag } from '../../../test/harness/factories.ts'
import { allPlanned, registerWebhook } from '../../../test/harness/planned.ts'
import { addPublication } from '../../../test/harness/publications.ts'
import { readMatch, type StoredMatch } from '../publications/match.ts'
import { findCalling } from './queries.ts'

test('filters are compiled once until they, or what they name, change', async () => {
  const app = await startApp()
  const tag = await addTag(app, { body: 'News', slug: 'news' })
  const plain = await registerWebhook(app, { filter: { status: [{ eq: 'Done' }] } })
  const naming = await registerWebhook(app, { filter: { tags: [{ param: 'slug', eq: 'news' }] } })
  const tags = { label: 'TagBox', items: [{ id: tag.id }] }
  await addPublication(app, { 'en-US': { tags } }, { status: { 'en-US': { body: 'Done' } } })
  await allPlanned(app)
  const { rows } = await sql<{ match: StoredMatch }>`select match from events
    where environment_id = ${app.environment.id} and event = 'publication.created'`.execute(app.context.db)
  const snapshot = readMatch(rows[0]!.match)
  const called = async () => {
    const { index } = await findCalling(app.context, app.environment, 'publication.updated')
    return new Map(index.wanting('publication.changed', snapshot).map((one) => [one.webhook.id, one]))
  }
  const first = await called()
  assert.deepEqual([...first.keys()].sort(), [plain.id, naming.id].sort())
  for (const [id, one] of await called()) assert.equal(one, first.get(id))
  assert.equal((await app.put(`/tags/${tag.id}`, { slug: 'old' })).status, 200)
  const renamed = await called()
  assert.deepEqual([...renamed.keys()], [plain.id])
  assert.equal(renamed.get(plain.id), first.get(plain.id))
  await app.put(`/webhooks/${plain.id}`, { filter: { status: [{ eq: 'Review' }] } })
  assert.equal((await called()).size, 0)
})
