import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { offeredEvents } from '../src/events.ts'
import { formats as ownFormats } from '../src/formats.ts'
import { eventually } from './harness/access.ts'
import { startApp } from './harness/app.ts'
import { madeUp, upload } from './harness/uploads.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is walked as the plain value it is
type Any = any

const ajv = new Ajv2020({ strict: false, allErrors: true, formats: ownFormats })
formats.default(ajv)

const faults = (document: Any, schema: Any, value: unknown): string[] => {
  const check = ajv.compile({ ...schema, components: document.components })
  return check(value) ? [] : (check.errors ?? []).map((e) => `${e.instancePath} ${e.message}`)
}

test('every event that can be registered for is described, and what is told fits its description', async () => {
  const app = await startApp()
  const document: Any = (await app.get('/openapi.json', { token: null })).body
  const { webhooks } = document
  assert.deepEqual(Object.keys(webhooks), offeredEvents.toSorted())
  for (const [name, { post }] of Object.entries<Any>(webhooks)) {
    const { schema, example } = post.requestBody.content['application/json']
    assert.equal(schema.properties.event.const, name)
    assert.deepEqual(faults(document, schema, example), [], name)
  }
  const items = { 'en-US': { title: { label: 'Text', body: 'A' } } }
  await app.post('/publications', { label: 'Publication', locales: ['en-US'], items })
  await upload(app, madeUp('png'))
  await app.post('/v5/messages', { label: 'Sms', body: 'A', phone: '+31 20 555 0100' })
  await app.post('/channels', { name: 'A' })
  await app.post('/containers', { body: 'A' })
  await app.post('/tags', { body: 'A' })
  await app.post('/v5/sources', { label: 'PhotoSocialHashtag', body: 'A' })
  await app.post('/statuses', { body: 'A' })
  await app.post('/configurations', { body: 'a', settings: { a: 1 } })
  await app.post('/publication_models', { body: 'A', fields: [{ api_id: 'a', label: 'Text' }] })
  const told = await eventually(async () => {
    const rows = await app.sql<{ event: string; snapshot: Any }[]>`select event, snapshot from events
      where environment_id = ${app.environment.id}`
    return new Set(rows.map(({ event }) => event)).size >= 9 && rows
  })
  for (const { event, snapshot } of told) {
    if (!webhooks[event]) continue
    const { schema } = webhooks[event].post.requestBody.content['application/json']
    assert.deepEqual(faults(document, schema.properties.payload, snapshot), [], event)
  }
})
