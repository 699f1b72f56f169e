import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Agent, fetch } from 'undici'
import { alive } from '../../src/database/embedded/processes.ts'
import {
  cleanUp,
  freePorts,
  newFolder,
  postmasterPid,
  run,
  type Service,
  settings,
  startService,
} from './service.ts'

const shell = promisify(execFile)
const folder = newFolder()
const data = join(folder, 'data')
const agent = new Agent({ connect: { rejectUnauthorized: false } })
let service: Service | undefined
after(() => cleanUp(folder, data, service))

const [port, httpPort] = await freePorts()
const env = settings(data, { MARQUEE_PORT: port, MARQUEE_HTTP_PORT: httpPort })
const start = async () => {
  service = await startService({ cwd: folder, env })
  return service
}
let token = ''

const ask = async (url: string, init: { method?: string; body?: string; token?: string } = {}) => {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (init.token) headers.authorization = `Bearer ${init.token}`
  const { method, body } = init
  const response = await fetch(url, { method, body, headers, dispatcher: agent })
  return { status: response.status, body: (await response.json()) as Record<string, never> }
}

test('the first start shows progress, addresses, a password, a token and a curl line that works', async () => {
  const { text } = await start()
  for (const part of ['PostgreSQL', 'Tables', 'HTTPS']) assert.match(text.err, new RegExp(`✓ ${part}`))
  assert.match(text.err, new RegExp(`https://localhost:${port}/v5`))
  assert.match(text.err, /password \S{12,}/)
  token = /Token\s+(mq_\S+)/.exec(text.err)![1]!
  const line = /^ *(curl .*)$/m.exec(text.err)![1]!
  const { stdout } = await shell('sh', ['-c', `${line} -s -w '\\n%{http_code}'`], {
    cwd: folder,
    timeout: 20_000,
  })
  assert.match(stdout, /"total":5[\s\S]*\n200$/)
})

test('without a token the answer is 401, and the plain port refuses with HttpNotAllowed', async () => {
  assert.equal((await ask(`https://127.0.0.1:${port}/statuses`)).status, 401)
  const plain = await ask(`http://127.0.0.1:${httpPort}/statuses`, { token })
  assert.deepEqual([plain.status, plain.body.type], [403, 'HttpNotAllowed'])
})

test('a second Marquee on the same data folder explains itself and leaves the first alone', async () => {
  const second = await run(['start'], { cwd: folder, env })
  assert.equal(second.code, 1, second.err)
  assert.match(second.err, /Marquee is already running on .*data/)
  assert.equal((await ask(`https://127.0.0.1:${port}/statuses`, { token })).status, 200)
})

test('commands work beside a running service, and doctor sees it', async () => {
  const { code, out, err } = await run(['doctor'], { cwd: folder, env })
  assert.equal(code, 0, out + err)
  assert.match(out, new RegExp(`${port} is used by a running Marquee`))
  assert.doesNotMatch(out, /did not run/)
})

test('Ctrl-C ends with 0 and leaves no process behind', async () => {
  const made = await ask(`https://127.0.0.1:${port}/channels`, {
    method: 'POST',
    body: '{"name":"Kept"}',
    token,
  })
  assert.equal(made.status, 201)
  const postmaster = postmasterPid(data)
  assert.deepEqual(await service!.stop('SIGINT'), { code: 0, signal: null })
  assert.equal(alive(postmaster), false)
})

test('a signal that arrives twice at the same instant ends with 0, too', async () => {
  const { child, text, ended } = await start()
  const postmaster = postmasterPid(data)
  child.kill('SIGTERM')
  while (!text.err.includes('SIGTERM: finishing') && child.exitCode === null) await sleep(1)
  child.kill('SIGTERM')
  assert.deepEqual(await ended, { code: 0, signal: null })
  assert.equal(alive(postmaster), false)
})

test('the next start keeps the data and shows no secret again', async () => {
  const { text } = await start()
  assert.doesNotMatch(text.err, /password|mq_/)
  assert.match(text.err, /token create/)
  const { body } = await ask(`https://127.0.0.1:${port}/channels`, { token })
  assert.equal(body.total, 1)
})

test('what a kill -9 left over is taken over by the next start', async () => {
  const postmaster = postmasterPid(data)
  await service!.stop('SIGKILL')
  assert.equal(alive(postmaster), true)
  await start()
  assert.equal((await ask(`https://127.0.0.1:${port}/channels`, { token })).body.total, 1)
  await service!.stop('SIGTERM')
  assert.equal(alive(postmasterPidOr(postmaster)), false)
})

/** The file is gone after a clean stop. */
const postmasterPidOr = (known: number): number => {
  try {
    return postmasterPid(data)
  } catch {
    return known
  }
}

test('a taken port is explained, nothing is left running, and the first secrets are not lost by it', async () => {
  const other = newFolder()
  const there = join(other, 'data')
  const blocker = createServer().listen(Number(port), '127.0.0.1')
  try {
    const env = settings(there, { MARQUEE_PORT: port })
    const refused = await run(['start'], { cwd: other, env })
    assert.equal(refused.code, 1, refused.err)
    assert.match(refused.err, new RegExp(`Port ${port} is in use`))
    const started = await startService({ cwd: other, env: settings(there) })
    assert.match(started.text.err, /Token\s+mq_/)
    assert.equal((await started.stop()).code, 0)
  } finally {
    blocker.close()
    await cleanUp(other, there)
  }
})
