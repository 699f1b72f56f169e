import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cleanUp, newFolder, run, settings } from './service.ts'

const folder = newFolder()
const data = join(folder, 'data')
after(() => cleanUp(folder, data))
const marquee = (args: string[], extra: Record<string, string> = {}) =>
  run(args, { cwd: folder, env: settings(data, extra) })

test('an unknown setting and bad values are all named, with exit code 2, before anything is done', async () => {
  const { code, err } = await marquee(['start'], {
    MARQUEE_PROT: '1',
    MARQUEE_PORT: 'many',
    MARQUEE_WORKERS: '0',
    MARQUEE_TLS_CERT: 'cert.pem',
  })
  assert.equal(code, 2)
  assert.match(err, /MARQUEE_PROT is not a setting of Marquee \(did you mean MARQUEE_PORT\?\)/)
  assert.match(err, /MARQUEE_PORT must be a whole number from 0 to 65535/)
  assert.match(err, /MARQUEE_WORKERS must be/)
  assert.match(err, /MARQUEE_TLS_CERT names a file that cannot be read: cert.pem/)
  assert.equal(existsSync(data), false)
})

const commands: [string[], RegExp][] = [
  [[], /backup[\s\S]*doctor|doctor[\s\S]*backup/],
  [['start'], /start the service/],
  [['migrate'], /up to date/],
  [['seed'], /demo data/],
  [['backup'], /as sensitive as the database/],
  [['restore'], /--replace/],
  [['doctor'], /--json/],
  [['token', 'create'], /--all-scopes/],
  [['user', 'create'], /--role/],
  [['environment', 'create'], /--locales/],
  [['application', 'create'], /--scopes/],
]

test('every command has its --help', async () => {
  const seen = await Promise.all(commands.map(([args]) => marquee([...args, '--help'])))
  for (const [index, { code, out }] of seen.entries()) {
    assert.equal(code, 0, commands[index]![0].join(' '))
    assert.match(out, commands[index]![1])
  }
  assert.equal(existsSync(data), false)
})

test('an unknown command, option or a missing argument is refused with a hint', async () => {
  for (const args of [['bakcup'], ['doctor', '--jsno'], ['restore']]) {
    const { code, err } = await marquee(args)
    assert.equal(code, 1, args.join(' '))
    assert.match(err, /(error: |There is no command bakcup)[\s\S]*--help/)
  }
})

test('doctor on a folder without anything makes nothing and says what a start would make', async () => {
  const { code, out } = await marquee(['doctor'])
  assert.equal(code, 0, out)
  assert.match(out, /! Data folder .*does not exist yet/)
  assert.match(out, /! PostgreSQL +There is no database yet/)
  assert.equal(existsSync(data), false)
})

test('backup without a database says so and makes nothing', async () => {
  const { code, err } = await marquee(['backup', join(folder, 'b.tar.gz')])
  assert.equal(code, 1)
  assert.match(err, /nothing to back up/)
  assert.equal(existsSync(data), false)
  assert.equal(existsSync(join(folder, 'b.tar.gz')), false)
})
