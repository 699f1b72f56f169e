import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createLog } from '../../src/service.ts'
import { startApp } from '../harness/app.ts'

const lines: string[] = []
const log = createLog(
  'trace',
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  }),
)
const canary = 'canary-7f3a'

test('log lines tell what happened and hold no query, token, header or body, whatever the answer', async () => {
  const app = await startApp({}, { log })
  const token = await app.tokenFor(['channels', 'channels_publish'])
  const { context } = app
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin if new.name like 'fail%' then raise exception 'cannot take %', new.name; end if; return new; end $$`.execute(
    context.db,
  )
  await sql`create trigger refuse before insert on channels for each row execute function refuse()`.execute(
    context.db,
  )
  const headers = {
    'x-secret': canary,
    cookie: `session=${canary}`,
    'user-agent': canary,
    referer: `https://x/${canary}`,
  }
  const statuses = [
    await app.post('/channels', { name: `Good ${canary}`, slug: canary }, { headers }),
    await app.post('/channels', { name: `Again ${canary}`, slug: canary }, { headers }),
    await app.get(`/channels?name[eq]=${canary}&access_token=${token}`, { token: null, headers }),
    await app.get(`/channels?${canary}=1`, { headers }),
    await app.get(`/channels/${canary}`, { headers }),
    await app.get(`/${canary}?access_token=${token}`, { token: null, headers }),
    await app.get('/channels', { token: `mq_${canary}`, headers }),
    await app.post('/channels', { name: 5, [canary]: canary }, { headers }),
    await app.call('POST', '/channels', {
      raw: `{"${canary}`,
      headers: { ...headers, 'content-type': 'application/json' },
    }),
    await app.call('POST', '/channels', { raw: canary, headers: { ...headers, 'content-type': canary } }),
    await app.post('/channels', { name: `fail ${canary}` }, { headers }),
    await app.get(`${app.plainOrigin}/channels?${canary}`, { headers }),
  ].map(({ status }) => status)
  assert.deepEqual(statuses, [201, 409, 200, 400, 404, 404, 401, 400, 400, 415, 500, 403])
  const text = lines.join('')
  assert.ok(
    !text.includes(canary),
    lines.find((line) => line.includes(canary)),
  )
  assert.ok(!text.includes(token))
  const found = lines.map((line) => JSON.parse(line))
  const requests = found.filter(({ msg }) => msg === 'request')
  assert.deepEqual(requests.map(({ status }) => status).sort(), statuses.sort())
  const made = requests.find(({ status }) => status === 201)
  assert.deepEqual([made.method, made.route, made.environment], ['POST', '/channels', app.environment.id])
  assert.match(made.trace, /^[0-9a-f]{32}$/)
})

test('the log line of a 500 carries the dbtrace that the caller was given, and where it failed', async () => {
  const app = await startApp({}, { log })
  const answer = await app.post('/channels', { name: 'fail again' })
  assert.equal(answer.status, 500)
  assert.deepEqual(Object.keys(answer.body), ['code', 'message', 'dbtrace'])
  const error = lines
    .map((line) => JSON.parse(line))
    .find(({ level, trace }) => level === 'error' && trace === answer.body.dbtrace)
  assert.equal(error.err.code, 'P0001')
  assert.match(error.err.stack, /at /)
})
