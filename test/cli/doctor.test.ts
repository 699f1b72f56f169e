import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { sessionOn } from '../../src/database/session.ts'
import { makeCertificate } from '../../src/http/certificate.ts'
import { cloneDatabase } from '../harness/database.ts'
import { freePorts, newFolder, run, settings } from './service.ts'

const folder = newFolder()
const data = join(folder, 'data')
const { url, drop } = await cloneDatabase()
const client = new pg.Client(url)
await client.connect()
const sql = sessionOn(client)
after(async () => {
  await client.end()
  await drop()
  rmSync(folder, { recursive: true, force: true })
})
mkdirSync(data)
const [port, httpPort] = await freePorts()
const base = {
  DATABASE_URL: url,
  MARQUEE_SECRET_KEY: 'the-key-of-the-doctor-tests-0123456789',
  MARQUEE_PORT: port,
  MARQUEE_HTTP_PORT: httpPort,
}

type Finding = { part: string; level: string; message: string }
const doctor = async (extra: Record<string, string> = {}) => {
  const env = settings(data, { ...base, ...extra })
  const { code, out, err } = await run(['doctor', '--json'], { cwd: folder, env })
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Finding[] }
  const found = (level: string) =>
    Object.fromEntries(
      checks.filter((check) => check.level === level).map(({ part, message }) => [part, message]),
    )
  return { code, ok, err, problems: found('problem'), warnings: found('warning'), fine: found('ok') }
}

test('where all is well, doctor says so for each part and ends with 0', async () => {
  const { code, ok, problems, warnings, fine } = await doctor()
  assert.deepEqual([problems, warnings], [{}, {}])
  assert.deepEqual([code, ok], [0, true])
  const parts =
    'Node.js,Configuration,Data folder,Disk space,Secret key,PostgreSQL,Clock,Extensions,Tables,Events,Jobs'
  assert.equal(Object.keys(fine).join(), `${parts},TLS certificate,HTTPS port,Plain port,Mail,Storage`)
  assert.match(fine['HTTPS port']!, new RegExp(`${port} is free`))
})

test('what is wrong around the database is named with what to do, and ends with 1', async () => {
  const [one, other] = await Promise.all([makeCertificate(['a.example']), makeCertificate(['b.example'])])
  writeFileSync(join(folder, 'cert.pem'), one.cert)
  writeFileSync(join(folder, 'key.pem'), other.key)
  const program = createServer((socket) => socket.end('hello')).listen(Number(port), '127.0.0.1')
  writeFileSync(join(data, 'files'), 'no folder')
  const { code, ok, problems } = await doctor({
    MARQUEE_TLS_CERT: join(folder, 'cert.pem'),
    MARQUEE_TLS_KEY: join(folder, 'key.pem'),
    SMTP_URL: `smtp://127.0.0.1:${httpPort}`,
  }).finally(() => program.close())
  rmSync(join(data, 'files'))
  assert.deepEqual([code, ok], [1, false])
  assert.match(problems['TLS certificate']!, /key.pem is not that of .*cert.pem/)
  assert.match(problems['HTTPS port']!, new RegExp(`${port} is used by another program; .*MARQUEE_PORT`))
  assert.match(problems.Mail!, /127.0.0.1 cannot be used .*check SMTP_URL/)
  assert.match(problems.Storage!, /cannot be stored in .*files \(ENOTDIR\); give this user the folder/)
  assert.equal(Object.keys(problems).length, 4)
})

test('a backlog, failed jobs and pending migrations are warnings; a changed migration is a problem', async () => {
  await sql`insert into outbox (event_id, organisation_id, event, label, record_id, performed_by, created_on)
    values ('e', 'o', 'channel.created', 'Channel', 'c', '{}', now() - interval '90 seconds')`
  await sql`select graphile_worker.add_job('failing', max_attempts => 1)`
  await sql`update graphile_worker._private_jobs set attempts = 1, last_error = 'no such thing'`
  const [last] = await sql<
    { name: string }[]
  >`delete from migrations where name = (select max(name) from migrations) returning *`
  const first = await doctor()
  assert.deepEqual([first.code, first.problems], [0, {}])
  assert.match(first.warnings.Events!, /^1 wait to be dispatched, the oldest for 9\d s/)
  assert.match(first.warnings.Jobs!, /^1 failed for good, the last by: no such thing/)
  assert.match(first.warnings.Tables!, /^1 migrations are pending; run `npx marquee migrate`/)
  await sql`insert into migrations (name, checksum) values (${last!.name}, ${'0'.repeat(64)})`
  assert.match((await doctor()).problems.Tables!, /was changed after this database had applied it/)
})

test('a database that does not answer, a folder that is closed and bad settings are told apart', async () => {
  const away = await doctor({ DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' })
  assert.equal(away.code, 1)
  assert.match(away.problems.PostgreSQL!, /127.0.0.1:1 cannot be used .*check DATABASE_URL/)
  assert.doesNotMatch(JSON.stringify(away), /nobody:x/)
  const bad = await doctor({ MARQUEE_WORKERS: 'x' })
  assert.match(bad.problems.Configuration!, /MARQUEE_WORKERS must be a whole number/)
  writeFileSync(join(data, 'secret.key'), 'x'.repeat(40))
  chmodSync(join(data, 'secret.key'), 0o644)
  assert.match((await doctor()).warnings['Data folder']!, /Other users may read secret.key .*chmod 600/)
})
