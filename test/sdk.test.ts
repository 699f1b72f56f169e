import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Agent, fetch as send } from 'undici'
import { folder, generatedFiles } from '../sdk/generate/files.ts'
import { ApiError, createClient, queryString } from '../sdk/src/index.ts'
import { startApp } from './harness/app.ts'

test('the client is generated from the routes as they are; `npm run sdk` brings it up to date', async () => {
  for (const [name, text] of Object.entries(await generatedFiles()))
    assert.ok(readFileSync(new URL(name, folder), 'utf8') === text, `${name} is out of date: npm run sdk`)
})

test('a client reads, writes and filters by types, and tells everything that was wrong', async () => {
  const app = await startApp()
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })
  const client = createClient({
    baseUrl: app.origin,
    token: () => app.tokenFor(['channels', 'channels_publish']),
    fetch: ((url: string, init: object) => send(url, { ...init, dispatcher })) as never,
  })
  const made = await client.post('/channels', { body: { name: 'Wébsite, and more' } })
  const read = await client.get('/v5/channels/{id}', { path: { id: made.id } })
  assert.deepEqual([read.name, read.streams], ['Wébsite, and more', []])
  const query = { name: [{ in: ['Wébsite, and more', 'x'] }], sort: ['-created_on' as const], total: false }
  assert.deepEqual((await client.get('/channels', { query })).items, [made])
  await client.delete('/channels/{id}', { path: { id: made.id } }).then(
    () => assert.fail('the token may not delete'),
    (error: ApiError) => assert.deepEqual([error.status, error.type], [403, 'InsufficientScope']),
  )
  // @ts-expect-error: the types name what a channel has
  const wrong = client.put('/channels/{id}', { path: { id: made.id }, body: { name: 1, streams: 2 } })
  await assert.rejects(
    wrong,
    (error) =>
      error instanceof ApiError &&
      error.status === 400 &&
      error.errors.map(({ path }) => path).join() === 'name,streams',
  )
})

test('filters stand in brackets, lists of words by comma, and lists inside filters keep their commas', () => {
  const query = { status: [{ in: ['a,b', 'c'] }], sort: ['x', '-y'], q: undefined, expire_on: { eq: null } }
  assert.equal(
    decodeURIComponent(queryString(query)),
    '?status[0][in][0]=a,b&status[0][in][1]=c&sort=x,-y&expire_on[eq]=',
  )
  assert.equal(queryString({}), '')
})
