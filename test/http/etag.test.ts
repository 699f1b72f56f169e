import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../harness/app.ts'

const start = async () => {
  const app = await startApp()
  const { body, headers } = await app.post('/channels', { name: 'First' })
  return { app, path: `/channels/${body.id}`, etag: headers.get('etag')! }
}

test('create, read and change carry the ETag of the same record', async () => {
  const { app, path, etag } = await start()
  assert.match(etag, /^"1-[\w-]{8}"$/)
  assert.equal((await app.get(path)).headers.get('etag'), etag)
  const changed = await app.put(path, { name: 'Second' })
  assert.match(changed.headers.get('etag')!, /^"2-/)
  assert.equal((await app.get(path)).headers.get('etag'), changed.headers.get('etag'))
  assert.notEqual((await app.get(`${path}?fields=type`)).headers.get('etag'), changed.headers.get('etag'))
  assert.notEqual((await app.get(`/v5${path}`)).headers.get('etag'), changed.headers.get('etag'))
})

test('If-None-Match gives 304 without a body while nothing changed', async () => {
  const { app, path, etag } = await start()
  for (const held of [etag, `W/${etag}`, '*', `"x", ${etag}`, `${etag},"y"`]) {
    const same = await app.get(path, { headers: { 'if-none-match': held } })
    assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', etag], held)
    assert.equal(same.headers.get('content-length'), null)
    assert.equal((await app.call('HEAD', path, { headers: { 'if-none-match': held } })).status, 304)
  }
  for (const held of ['"x"', 'x', '', etag.slice(1, -1), '"1"', etag.replace('1-', '2-')])
    assert.equal((await app.get(path, { headers: { 'if-none-match': held } })).status, 200, held)
  await app.put(path, { name: 'Second' })
  assert.equal((await app.get(path, { headers: { 'if-none-match': etag } })).status, 200)
})

test('a body that shows another record is new when that one changed', async () => {
  const { app, path } = await start()
  const shown = `${path}?fields=environment{name}`
  const first = await app.get(shown)
  await app.sql`update environments set name = 'Renamed', version = version + 1 where id = ${app.environment.id}`
  app.context.tokens.forget()
  const second = await app.get(shown, { headers: { 'if-none-match': first.headers.get('etag')! } })
  assert.equal(second.status, 200)
  assert.equal(second.body.environment.name, 'Renamed')
})

test('If-Match lets a write through only on the version it names', async () => {
  const { app, path, etag } = await start()
  const put = (name: string, match: string) => app.put(path, { name }, { headers: { 'if-match': match } })
  assert.equal((await put('Second', etag)).status, 200)
  const stale = await put('Third', etag)
  assert.deepEqual([stale.status, stale.body.message], [412, 'Precondition Failed'])
  assert.equal(
    (await put('Third', etag.replace('1-', '2-'))).status,
    200,
    'the version counts, not the representation',
  )
  assert.equal((await put('Fourth', '"3"')).status, 200)
  assert.equal((await put('Fifth', 'W/"4-x"')).status, 200, 'proxies weaken tags when they compress')
  assert.equal((await put('Sixth', '*')).status, 200)
  assert.equal((await app.get(path)).body.name, 'Sixth')
  for (const other of ['"x"', '"-1"', '"9999999999"', '"1-x", "2-y"', '"6\'--"', '"5-x", "x"'])
    assert.equal((await put('Never', other)).status, 412, other)
  for (const bad of ['', '6', 'x', '"1" "2"', '"6-x", 6']) {
    const answer = await put('Never', bad)
    assert.equal(answer.status, 400, bad)
    assert.equal(answer.body.errors[0].path, 'If-Match')
  }
  assert.equal((await app.get(path)).body.name, 'Sixth')
  const current = (await app.get(path)).headers.get('etag')!
  assert.equal((await put('Seventh', `"1-x", ${current}, "other"`)).status, 200, 'one of a list will do')
})

test('a stale If-Match keeps a record from being deleted', async () => {
  const { app, path, etag } = await start()
  await app.put(path, { name: 'Second' })
  assert.equal((await app.delete(path, { headers: { 'if-match': etag } })).status, 412)
  assert.equal((await app.get(path)).status, 200)
  assert.equal((await app.delete(path, { headers: { 'if-match': '"2"' } })).status, 204)
  assert.equal((await app.delete(path, { headers: { 'if-match': '"2"' } })).status, 404)
})

test('of writers that saw the same version one wins', async () => {
  const { app, path, etag } = await start()
  const writes = Array.from({ length: 20 }, (_, index) =>
    app.put(path, { name: `Writer ${index}` }, { headers: { 'if-match': etag } }),
  )
  const statuses = (await Promise.all(writes)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 200).length, 1)
  assert.equal(statuses.filter((status) => status === 412).length, 19)
})
