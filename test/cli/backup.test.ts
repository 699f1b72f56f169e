import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { columnList, quoted, readTables } from '../../src/backup/catalogue.ts'
import { dropEverything } from '../../src/backup/clear.ts'
import { Damaged } from '../../src/backup/problems.ts'
import { markRestored, stage } from '../../src/backup/staging.ts'
import { verifyBackup } from '../../src/backup/verify.ts'
import { migrations, pending } from '../../src/database/migrate.ts'
import { type Session, sessionOn } from '../../src/database/session.ts'
import { cloneDatabase } from '../harness/database.ts'
import { newFolder, program, run, settings } from './service.ts'
import { rebuilt, spoiled, swap } from './spoil.ts'

const folder = newFolder()
const data = join(folder, 'data')
const file = join(folder, 'backup.tar.gz')
const secret = { MARQUEE_SECRET_KEY: 'the-key-of-the-backup-tests-0123456789' }
const opened: { sql: Session; drop(): Promise<void> }[] = []
after(async () => {
  for (const { sql, drop } of opened) {
    await (sql.client as pg.Client).end()
    await drop()
  }
  rmSync(folder, { recursive: true, force: true })
})

const openSession = async (connectionString: string, application_name = 'test'): Promise<Session> => {
  const client = new pg.Client({ connectionString, application_name })
  await client.connect()
  return sessionOn(client)
}

const newDatabase = async () => {
  const { url, drop } = await cloneDatabase()
  const sql = await openSession(url)
  opened.push({ sql, drop })
  const env = settings(data, { DATABASE_URL: url, ...secret })
  return { url, sql, env, marquee: (...args: string[]) => run(args, { cwd: folder, env }) }
}

/** The number of rows and a digest of them, for every table. */
const fingerprint = async (sql: Session): Promise<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const { name, columns } of await readTables(sql)) {
    const [row] = await sql.run<{ digest: string }[]>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') as digest
       from (select ${columnList(columns)} from ${quoted(name)}) t`,
    )
    found[name] = row!.digest
  }
  return found
}

const source = await newDatabase()

/** Values that a careless copy would break. */
const addHardValues = async (sql: Session): Promise<void> => {
  const [environment] = await sql<{ id: string }[]>`select id from environments where name = 'Demo'`
  const id = environment!.id
  const hard = 'tab\t newline\n return\r backslash\\ \\. \\N quote\' "double" é 漢 🚢 {brace,}'
  await sql`insert into channels (environment_id, id, name, slug, streams)
    values (${id}, 'hard', ${hard}, 'hard', ${JSON.stringify([{ name: hard, url: null }])})`
  await sql`insert into channels (environment_id, id, name, slug, type) values (${id}, 'empty', '', 'empty', null)`
  await sql`insert into applications (environment_id, id, name, secret_hash, scopes, visibility)
    values (${id}, 'hard', 'Hard', ${Buffer.from([0, 1, 10, 13, 92, 255])}, ${['a,b', 'c"d', '', 'NULL']}, 'all')`
  // A month that no migration makes a partition for, and one that has none.
  await sql`select add_interactions_partition('2031-05-01')`
  for (const day of ['2031-05-05', '1999-01-01'])
    await sql`insert into interactions (environment_id, created_on, id, publication_id, person_key, label, value)
      select ${id}, ${day}::timestamptz, ${day}, 'p', min(key), 'View', 0.1 from persons`
}

const prepared = (async () => {
  await source.sql`insert into organisations (id, name) values ('o', 'Harbour FM')`
  const seeded = await source.marquee('seed')
  assert.equal(seeded.code, 0, seeded.err)
  await addHardValues(source.sql)
  mkdirSync(join(data, 'files', 'ab'), { recursive: true })
  writeFileSync(join(data, 'files', 'ab', 'photo.jpg'), Buffer.alloc(300_000, 'photo'))
  writeFileSync(join(data, 'files', 'empty'), '')
  const made = await source.marquee('backup', file)
  assert.equal(made.code, 0, made.err)
  return { made, seeded }
})()

test('seeding twice adds nothing the second time and says so', async () => {
  const { seeded } = await prepared
  assert.match(seeded.err, /8 channels, 12 containers, 42 tags[\s\S]*300 persons[\s\S]*60 publications/)
  const before = await fingerprint(source.sql)
  const asked = await source.marquee('seed')
  assert.match(asked.err, /holds channels of its own. Add --yes/)
  const again = await source.marquee('seed', '--yes')
  assert.match(again.err, /already complete; nothing was changed/)
  assert.deepEqual(await fingerprint(source.sql), before)
})

test('a backup, restored, makes every table, file and sequence equal', async () => {
  const { made } = await prepared
  assert.match(made.err, /as sensitive as the database/)
  const target = await newDatabase()
  rmSync(join(data, 'files'), { recursive: true })
  const restored = await target.marquee('restore', file)
  assert.equal(restored.code, 0, restored.err)
  const [before, after] = [await fingerprint(source.sql), await fingerprint(target.sql)]
  assert.deepEqual(after, before)
  assert.ok(Number(after.interactions!.split(' ')[0]) > 4800, 'the demo is there')
  assert.equal(readFileSync(join(data, 'files', 'ab', 'photo.jpg')).length, 300_000)
  assert.deepEqual(readdirSync(join(data, 'files')).sort(), ['ab', 'empty', 'originals'])
  assert.equal(existsSync(join(data, 'restore')), false)
  const [sequence, first] = await Promise.all(
    [target, source].map(({ sql }) => sql<object[]>`select last_value, is_called from persons_key_seq`),
  )
  assert.deepEqual(sequence, first)
  const [partition] = await target.sql<
    { rows: number }[]
  >`select count(*)::int as rows from interactions_2031_05`
  assert.equal(partition!.rows, 1)
  const keys = (sql: Session) =>
    sql`select conname, pg_get_constraintdef(oid) as is from pg_constraint where contype = 'f' order by 1, 2`
  assert.deepEqual(await keys(target.sql), await keys(source.sql))
})

/** The catalogue keeps no order: a table that was altered stands behind its sequence, once statistics are there. */
const moveBehindSequence = async (sql: Session): Promise<void> => {
  for (let factor = 50; factor < 100; factor += 1) {
    await sql.run(`alter table persons set (fillfactor = ${factor})`)
    const [row] = await sql<
      { behind: boolean }[]
    >`select t.ctid > s.ctid as behind from pg_class t, pg_class s
      where t.relname = 'persons' and s.relname = 'persons_key_seq'`
    if (row!.behind) {
      await sql.run('analyze')
      return
    }
  }
  assert.fail('the table could not be moved')
}

test('a database that is not empty is replaced only on request, and then has nothing of before', async () => {
  await prepared
  const target = await newDatabase()
  await target.sql`insert into organisations (id, name) values ('other', 'Other')`
  await moveBehindSequence(target.sql)
  const before = await fingerprint(target.sql)
  const refused = await target.marquee('restore', file)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /not empty. Add --replace/)
  assert.deepEqual(await fingerprint(target.sql), before)
  const replaced = await target.marquee('restore', file, '--replace')
  assert.equal(replaced.code, 0, replaced.err)
  assert.deepEqual(await fingerprint(target.sql), await fingerprint(source.sql))
})

test('a backup with another secret key, or while the service runs, is not restored', async () => {
  await prepared
  const { env, sql, url } = await newDatabase()
  const other = { ...env, MARQUEE_SECRET_KEY: 'another-key-of-the-backup-tests-987654' }
  const wrong = await run(['restore', file], { cwd: folder, env: other })
  assert.match(wrong.err, /MARQUEE_SECRET_KEY is not the key that the backup was made with/)
  const running = await openSession(url, 'marquee')
  const refused = await run(['restore', file], { cwd: folder, env })
  await (running.client as pg.Client).end()
  assert.match(refused.err, /Marquee is running on this database/)
  assert.deepEqual([wrong.code, refused.code], [1, 1])
  const [row] = await sql<{ rows: number }[]>`select count(*)::int as rows from organisations`
  assert.equal(row!.rows, 0)
})

test('a wrong, cut, changed or hostile file is recognised for what it is', async () => {
  await prepared
  const bad = join(folder, 'bad.tar.gz')
  for (const [what, [words, make]] of Object.entries(spoiled)) {
    writeFileSync(bad, await make(file))
    const error = await verifyBackup(bad).catch((error: Error) => error)
    assert.ok(error instanceof Damaged, `a file that ${what}: ${error}`)
    assert.match(error.message, words, `a file that ${what}`)
  }
})

test('a file that cannot be used is refused in words, and nothing is changed', async () => {
  await prepared
  const target = await newDatabase()
  const before = await fingerprint(target.sql)
  const bad = join(folder, 'refused.tar.gz')
  const newer = (name: string, bytes: Buffer) => {
    const text = bytes.toString().replace('0001-access.sql', '9999-later.sql')
    return { name, bytes: name === 'manifest.json' ? Buffer.from(text) : bytes }
  }
  const cases: [RegExp, Buffer][] = [
    [
      /refused.tar.gz is damaged: the table channels.* Nothing was changed/,
      await rebuilt(file, swap('Website', 'Wobsite')),
    ],
    [/migrations that this version does not have \(9999-later.sql\)/, await rebuilt(file, newer)],
  ]
  for (const [words, bytes] of cases) {
    writeFileSync(bad, bytes)
    const { code, err } = await target.marquee('restore', bad, '--replace')
    assert.equal(code, 1, err)
    assert.match(err, words)
    assert.doesNotMatch(err, /\n {4}at /)
  }
  assert.deepEqual(await fingerprint(target.sql), before)
})

test('a restore that is killed in the middle leaves the old state, and can be repeated', async () => {
  await prepared
  const target = await newDatabase()
  await target.sql`insert into organisations (id, name) values ('other', 'Other')`
  const before = await fingerprint(target.sql)
  // The lock lets the restore come as far as the last table that it drops, and no further.
  await target.sql.run('begin; select 1 from users; select 1 from tags')
  const child = spawn(process.execPath, [program, 'restore', file, '--replace'], {
    cwd: folder,
    env: target.env,
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  const isWaiting = async () => {
    const rows = await source.sql`select 1 from pg_stat_activity
      where application_name = 'marquee restore' and wait_event_type = 'Lock'`
    return rows.length > 0
  }
  const until = Date.now() + 20_000
  while (!(await isWaiting())) {
    assert.ok(Date.now() < until, 'the restore did not begin')
    await sleep(20)
  }
  child.kill('SIGKILL')
  await ended
  await target.sql.run('rollback')
  assert.deepEqual(await fingerprint(target.sql), before)
  const again = await target.marquee('restore', file, '--replace')
  assert.equal(again.code, 0, again.err)
  assert.deepEqual(await fingerprint(target.sql), await fingerprint(source.sql))
  assert.equal(existsSync(join(data, 'restore')), false)
})

test('a backup does not replace a file unless told to, and leaves no unfinished one', async () => {
  await prepared
  const refused = await source.marquee('backup', file)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /exists. Choose another name, or add --overwrite/)
  assert.equal((await source.marquee('backup', file, '--overwrite')).code, 0)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('unfinished')),
    [],
  )
})

test('an older backup is restored at its own level and then brought up to date', async () => {
  const old = await newDatabase()
  const [first, second, ...later] = migrations()
  await dropEverything(old.sql)
  await old.sql`create table migrations (
    name text primary key, checksum text not null, applied_on timestamptz not null default now())`
  for (const { name, text, checksum } of [first!, second!]) {
    await old.sql.run(text)
    await old.sql`insert into migrations (name, checksum) values (${name}, ${checksum})`
  }
  await old.sql`insert into organisations (id, name) values ('old', 'Old')`
  const older = join(folder, 'older.tar.gz')
  assert.equal((await old.marquee('backup', older)).code, 0)
  const target = await newDatabase()
  const { code, err } = await target.marquee('restore', older)
  assert.equal(code, 0, err)
  assert.match(err, new RegExp(`Brought up to date by ${later.map(({ name }) => name).join(', ')}`))
  assert.deepEqual(await pending(target.sql), [])
  const rows = await target.sql`select id from organisations`
  assert.deepEqual([...rows], [{ id: 'old' }])
})

test('files of a restore that was killed after its commit are put in place by the next command, others are not', async () => {
  await prepared
  const { sql, marquee } = await newDatabase()
  const committed = await stage(data, file, undefined, true)
  await markRestored(sql, committed)
  rmSync(join(data, 'files'), { recursive: true })
  assert.equal((await marquee('migrate')).code, 0)
  assert.equal(readFileSync(join(data, 'files', 'ab', 'photo.jpg')).length, 300_000)
  assert.equal(existsSync(join(data, 'restore')), false)
  await stage(data, file, undefined, true)
  writeFileSync(join(data, 'files', 'newer'), 'newer')
  assert.equal((await marquee('migrate')).code, 0)
  assert.equal(existsSync(join(data, 'files', 'newer')), true)
  assert.equal(existsSync(join(data, 'restore')), false)
})
