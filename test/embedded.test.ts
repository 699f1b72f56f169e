import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { withReach } from '../src/database/embedded/account.ts'
import { binaryPackage } from '../src/database/embedded/binaries.ts'
import { readPidFile } from '../src/database/embedded/pidfile.ts'
import { openLog, openPlace } from '../src/database/embedded/place.ts'
import { alive, isPostmaster } from '../src/database/embedded/processes.ts'
import { run } from '../src/database/embedded/run.ts'
import { type EmbeddedServer, startEmbedded } from '../src/database/embedded.ts'
import { withSession } from '../src/database/session.ts'

// Neither the server nor the URL may depend on what the machine has set for other PostgreSQL servers.
process.env.PGPORT = '1'
process.env.PGHOST = 'nowhere.invalid'

const settings = { fsync: 'off', shared_buffers: '16MB' }
const asRoot = process.getuid?.() === 0

/** A folder that is removed at the end, after the server in it, if any, was stopped by its pid. */
const temporary = async (t: TestContext): Promise<string> => {
  const base = await mkdtemp(join(tmpdir(), 'marquee-embedded-'))
  await chmod(base, 0o755)
  t.after(async () => {
    for (const folder of [base, ...readdirSync(base).map((name) => join(base, name))]) await endServer(folder)
    await rm(base, { recursive: true, force: true, maxRetries: 5 })
  })
  return base
}

const endServer = async (folder: string): Promise<void> => {
  if (!existsSync(join(folder, 'postgres', 'postmaster.pid'))) return
  const { cluster, name } = await openPlace(folder)
  const pid = readPidFile(cluster)?.pid
  if (!pid || isPostmaster(pid, cluster, name) === false) return
  process.kill(pid, 'SIGQUIT')
  await gone(pid)
}

const gone = async (pid: number): Promise<void> => {
  for (let round = 0; alive(pid) && round < 1000; round++) await sleep(10)
  assert.ok(!alive(pid), `process ${pid} is gone`)
}

const start = (
  folder: string,
  lines: string[] = [],
  more: Record<string, string> = {},
): Promise<EmbeddedServer> =>
  startEmbedded({ folder, progress: (line) => lines.push(line), settings: { ...settings, ...more } })

const query = async (url: string, text: string): Promise<Record<string, unknown>[]> => {
  return withSession(url, (session) => session.run(text))
}

/** Whether every user may enter the folders above. */
const isOpen = (path: string): boolean =>
  path === dirname(path) || ((statSync(dirname(path)).mode & 1) === 1 && isOpen(dirname(path)))

/** Another process that starts a server, says what it got, and stops it when its input ends. */
const program = `
  import { startEmbedded } from ${JSON.stringify(new URL('../src/database/embedded.ts', import.meta.url).href)}
  const say = (value) => console.log(JSON.stringify(value))
  try {
    const folder = process.argv[1]
    const { stop, ...server } = await startEmbedded({ folder, settings: ${JSON.stringify(settings)} })
    say(server)
    process.stdin.resume().on('end', stop)
  } catch (error) {
    say({ error: error.message })
  }`

type Said = { url: string; started: boolean; pid: number; error?: string }

const another = (t: TestContext, folder: string, options: { uid?: number; gid?: number } = {}) => {
  const args = ['--input-type=module', '-e', program, folder]
  const child = spawn(process.execPath, args, { ...options, cwd: '/', stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const line = once(createInterface(child.stdout), 'line').then(([line]): Said => JSON.parse(line))
  const ended = once(child, 'exit').then(([code, signal]): Said => assert.fail(`it ended: ${signal ?? code}`))
  const said = Promise.race([line, ended])
  said.catch(() => {})
  return { child, said }
}

const leave = async (child: ChildProcess): Promise<void> => {
  const exit = once(child, 'exit')
  child.stdin?.end()
  await exit
}

const kill = async (child: ChildProcess): Promise<void> => {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

test('a fresh folder becomes a server that postgres and pg reach by the same URL', async (t) => {
  const folder = join(await temporary(t), 'data')
  const lines: string[] = []
  const began = performance.now()
  const server = await start(folder, lines)
  t.diagnostic(`fresh start ${Math.round(performance.now() - began)} ms`)
  assert.deepEqual(lines, ['Creating the database cluster…', 'Starting PostgreSQL 18…'])
  assert.equal(server.started, true)
  const text = `select current_database() as database, current_user as role, datlocprovider as provider, datlocale as
    locale, pg_encoding_to_char(encoding) as encoding, current_setting('listen_addresses') as addresses,
    current_setting('TimeZone') as zone from pg_database where datname = current_database()`
  const expected = { database: 'marquee', role: 'marquee', provider: 'b', locale: 'C.UTF-8' }
  const rest = { encoding: 'UTF8', addresses: '', zone: 'UTC' }
  assert.deepEqual({ ...(await query(server.url, text))[0] }, { ...expected, ...rest })
  const client = new pg.Client(server.url)
  await client.connect()
  assert.deepEqual((await client.query(text)).rows, [{ ...expected, ...rest }])
  await client.end()
  await assert.rejects(query(server.url.replace(/:[^:@]*@/, ':wrong@'), 'select 1'), { code: '28P01' })
  assert.equal(statSync(join(folder, 'postgres.password')).mode & 0o777, 0o600)
  await server.stop()
  assert.ok(!alive(server.pid))
  assert.ok(!existsSync(join(folder, 'postgres.owner')))
})

test('a second start keeps the data and sees that a server already runs', async (t) => {
  const folder = await temporary(t)
  const first = await start(folder)
  await query(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  const began = performance.now()
  const second = await start(folder)
  t.diagnostic(`start on an existing cluster ${Math.round(performance.now() - began)} ms`)
  assert.deepEqual([...(await query(second.url, 'select answer from kept'))], [{ answer: 42 }])
  const attached = await start(folder)
  assert.deepEqual([attached.started, attached.pid, attached.url], [false, second.pid, second.url])
  await attached.stop()
  assert.ok(alive(second.pid), 'who only attached does not stop it')
  await second.stop()
})

test('after kill -9 of the server the committed rows are there, and its busy children are ended', async (t) => {
  const folder = await temporary(t)
  const first = await start(folder)
  await query(first.url, 'create table kept as select 42 as answer')
  const busy = query(first.url, 'select count(*) from generate_series(1, 10000000000)').catch(() => 'ended')
  await sleep(200)
  process.kill(first.pid, 'SIGKILL')
  await gone(first.pid)
  assert.equal(readPidFile(join(folder, 'postgres'))?.pid, first.pid, 'the stale pid file is there')
  const lines: string[] = []
  const second = await start(folder, lines)
  assert.match(lines.join('\n'), /Repairing: .*not stopped cleanly/)
  assert.equal(second.started, true)
  assert.deepEqual([...(await query(second.url, 'select answer from kept'))], [{ answer: 42 }])
  assert.equal(await busy, 'ended')
  await first.stop()
  assert.equal((await start(folder)).started, false, 'the first one does not touch the second')
  await second.stop()
})

test('a stale pid file does not hinder when its pid is taken by another program or a dead child, or is missing', async (t) => {
  const folder = await temporary(t)
  const pidFile = join(folder, 'postgres', 'postmaster.pid')
  const uncollected = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.after(() => uncollected.kill('SIGKILL'))
  const [dead] = await once(createInterface(uncollected.stdout), 'line')
  const named = (pid: unknown) => (text: string) => text.replace(/^\d+/, `${pid}`)
  for (const damage of [named(uncollected.pid), named(dead), () => '']) {
    const server = await start(folder)
    process.kill(server.pid, 'SIGKILL')
    await gone(server.pid)
    writeFileSync(pidFile, damage(readFileSync(pidFile, 'utf8')))
  }
  const last = await start(folder)
  assert.equal(last.started, true)
  await last.stop()
})

test('a cluster whose making was killed is thrown away and made again', async (t) => {
  const folder = await temporary(t)
  const { child } = another(t, folder)
  const half = () => readdirSync(folder).filter((name) => name.startsWith('postgres.new'))
  while (!half().some((name) => existsSync(join(folder, name, 'PG_VERSION')))) await sleep(5)
  await kill(child)
  assert.ok(!existsSync(join(folder, 'postgres')))
  const lines: string[] = []
  const server = await start(folder, lines)
  assert.match(lines[0]!, /Repairing: a half-made/)
  assert.equal((await query(server.url, 'select 1 as one'))[0]?.one, 1)
  assert.deepEqual(half(), [])
  await server.stop()
})

test('a server left over from a killed Marquee is taken over', async (t) => {
  const folder = await temporary(t)
  const { child, said } = another(t, folder)
  const { pid } = await said
  const attached = await start(folder)
  assert.deepEqual([attached.started, attached.pid], [false, pid], 'its owner is alive')
  await kill(child)
  const taken = await start(folder)
  assert.deepEqual([taken.started, taken.pid], [true, pid])
  await taken.stop()
  assert.ok(!alive(pid))
})

test('of two processes that start at once, one starts the server and the other attaches', async (t) => {
  const folder = await temporary(t)
  // Left by a process that is gone: pid 1 is alive, but began at another time.
  await writeFile(join(folder, 'postgres.lock'), '1 another-boot:1')
  const both = [another(t, folder), another(t, folder)]
  const [one, two] = (await Promise.all(both.map(({ said }) => said))) as [Said, Said]
  assert.deepEqual([one.error, two.error], [undefined, undefined])
  assert.equal(one.pid, two.pid)
  assert.deepEqual([one.started, two.started].sort(), [false, true])
  for (const { child } of both) await leave(child)
  await gone(one.pid)
})

test('a path too long for a socket, with odd characters, works', async (t) => {
  const base = await temporary(t)
  const folder = join(base, `ä b,c@d%2F"'${'x'.repeat(100)}`)
  const server = await start(folder)
  assert.equal((await query(server.url, 'select 1 as one'))[0]?.one, 1)
  const sockets = readPidFile(join(folder, 'postgres'))!.socketFolder
  t.after(() => rm(sockets, { recursive: true, force: true }))
  assert.equal(statSync(sockets).mode & 0o777, 0o700)
  await server.stop()
  const short = join(base, `ä b,c@d%2F"'`)
  const odd = await start(short)
  assert.equal((await query(odd.url, 'select 1 as one'))[0]?.one, 1)
  assert.equal(readPidFile(join(short, 'postgres'))!.socketFolder, join(short, 'socket'))
  await odd.stop()
})

test('a cluster of another version, or of unknown files, is explained and left as it is', async (t) => {
  const folder = await temporary(t)
  const cluster = join(folder, 'postgres')
  await mkdir(join(cluster, 'global'), { recursive: true })
  await writeFile(join(cluster, 'global', 'pg_control'), '')
  await assert.rejects(start(folder), /not a complete database cluster/)
  await writeFile(join(cluster, 'PG_VERSION'), '17\n')
  await assert.rejects(start(folder), /made by PostgreSQL 17.*brings PostgreSQL 18.*marquee backup/)
  assert.deepEqual(readdirSync(cluster).sort(), ['PG_VERSION', 'global'])
})

test('a server that ends while starting is explained by its log', async (t) => {
  const folder = await temporary(t)
  const failure = start(folder, [], { shared_buffers: 'much' })
  await assert.rejects(failure, (error: Error) => {
    assert.match(error.message, /invalid value for parameter "shared_buffers": "much"/)
    assert.match(error.message, new RegExp(join(folder, 'postgres.log')))
    return true
  })
  assert.ok(!existsSync(join(folder, 'postgres.lock')))
  await (await start(folder)).stop()
})

test('a lost password is replaced, and no value of a caller reaches the log', async (t) => {
  const folder = await temporary(t)
  const first = await start(folder)
  await withSession(first.url, async (sql) => {
    await sql`create table person (email text primary key)`
    await sql`insert into person values (${'ada@example.org'})`
    await assert.rejects(sql`insert into person values (${'ada@example.org'})`, { code: '23505' })
  })
  const log = readFileSync(first.logFile, 'utf8')
  assert.match(log, /duplicate key value/)
  assert.doesNotMatch(log, /ada@/)
  await first.stop()
  await writeFile(join(folder, 'postgres.password'), '')
  const second = await start(folder)
  assert.notEqual(second.url, first.url)
  assert.equal((await query(second.url, 'select email from person')).length, 1)
  await second.stop()
})

test('a log over 10 MB is put aside at the start', async (t) => {
  const place = await openPlace(await temporary(t))
  await writeFile(place.log, Buffer.alloc(10 * 1024 * 1024 + 1, 'x'))
  const { file, size } = await openLog(place)
  await file.close()
  assert.deepEqual([size, statSync(`${place.log}.1`).size], [0, 10 * 1024 * 1024 + 1])
})

test('a folder that cannot be one, and a machine without binaries, are explained', async (t) => {
  const base = await temporary(t)
  await writeFile(join(base, 'file'), '')
  await assert.rejects(start(join(base, 'file')), /in the way: a folder is needed/)
  await assert.rejects(start(join(base, 'file', 'data')), /not a folder/)
  assert.throws(() => binaryPackage('sunos', 'x64'), /no embedded PostgreSQL for sunos on x64.*DATABASE_URL/)
})

test('as root, a folder that only root may enter works', async (t) => {
  if (!asRoot) return t.skip('needs root')
  const base = await temporary(t)
  await chmod(base, 0o700)
  const server = await start(join(base, 'data'))
  assert.equal((await query(server.url, 'select 1 as one'))[0]?.one, 1)
  await server.stop()
  // The programs themselves may lie in such a folder; they ask access(), which has its own rules.
  const file = join(base, 'program')
  await writeFile(file, '', { mode: 0o755 })
  const nobody = { name: 'nobody', uid: 65534, gid: 65534 }
  await assert.rejects(run(nobody, '/usr/bin/test', ['-x', file]))
  await run(withReach(nobody, [base], file), '/usr/bin/test', ['-x', file])
})

test('as an ordinary user it works in a folder of that user, and another one is explained', async (t) => {
  if (!asRoot) return t.skip('needs root to become two users')
  if (!isOpen(process.execPath) || !isOpen(import.meta.filename))
    return t.skip('the project is closed to others')
  const base = await temporary(t)
  const [mine, other] = [
    { uid: 65534, gid: 65534 },
    { uid: 54321, gid: 54321 },
  ]
  await chown(base, mine.uid, mine.gid)
  const { child, said } = another(t, join(base, 'data'), mine)
  const { error, started } = await said
  assert.deepEqual([error, started], [undefined, true])
  await leave(child)
  assert.match((await another(t, join(base, 'data'), other).said).error!, /belongs to the user nobody/)
  assert.match((await another(t, join(base, 'new'), other).said).error!, /cannot be read or written/)
  const theirs = join(base, 'theirs')
  await mkdir(theirs)
  await chown(theirs, other.uid, other.gid)
  assert.match((await another(t, theirs, other).said).error!, /54321 has no entry in \/etc\/passwd/)
  const byRoot = await start(join(base, 'data'))
  assert.equal(statSync(byRoot.logFile).uid, mine.uid, 'root leaves the files to the user')
  await byRoot.stop()
})
