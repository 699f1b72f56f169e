import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { eventually } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { made } from '../../../test/harness/records/kind.ts'
import {
  addReader,
  askForLink,
  lettersTo,
  linkFor,
  linkIn,
  openLink,
  signInSettings,
  useMagic,
} from '../../../test/harness/sign-in.ts'
import { mailer } from '../../mail/mail.ts'

type Received = { to: string[]; data: string }

/** A mail server that refuses the first letter of whoever is called `late`. */
const received: Received[] = []
const refused = new Set<string>()
const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onRcptTo({ address }, _session, callback) {
    const isLate = address.startsWith('late') && !refused.has(address)
    if (isLate) refused.add(address)
    callback(isLate ? Object.assign(new Error(`no ${address} here yet`), { responseCode: 450 }) : null)
  },
  onData(stream, session, callback) {
    stream
      .setEncoding('latin1')
      .toArray()
      .then((parts: string[]) => {
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), data: parts.join('') })
        callback()
      }, callback)
  },
})
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
const { port } = server.server.address() as AddressInfo
const settings = { ...signInSettings, SMTP_URL: `smtp://127.0.0.1:${port}` }
after(() => server.close())

const receivedBy = (address: string, limit = 20_000): Promise<Received> =>
  eventually(async () => received.find(({ to }) => to.includes(address)), limit)

const plain = (data: string): string =>
  Buffer.from(
    data
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

const addTemplate = async (app: TestApp, body: object): Promise<{ email_template: { id: string } }> => {
  const template = { name: randomUUID(), subject: 'x', html: '{{link}}', ...body }
  return { email_template: { id: made(await app.post('/email_templates', template)).id } }
}

test('a letter by SMTP is written by its template, and its link signs in', async () => {
  const app = await startApp(settings)
  const reader = await addReader(app, { first_name: '<Róbin> & "co"', last_name: 'Bcc: x@example.org' })
  const asked = await addTemplate(app, {
    subject: 'Hello {{first_name}}, {{environment}}',
    html: '<p>Hello {{first_name}}</p><a href="{{link}}">in</a><i>{{email}} {{minutes}}</i>',
    text: 'Hello {{first_name}}: {{link}}',
  })
  assert.equal((await askForLink(app, reader.email, asked)).status, 202)
  const letter = await receivedBy(reader.email)
  const text = plain(letter.data)
  assert.deepEqual(letter.to, [reader.email])
  assert.ok(text.includes('<p>Hello &lt;Róbin&gt; &amp; &quot;co&quot;</p>'), text)
  assert.ok(text.includes(`<i>${reader.email} 15</i>`))
  assert.ok(text.includes('Hello <Róbin> & "co": https://marquee.test/customers/sign_in/mqt_'))
  assert.match(text, /^From: Marquee <no-reply@marquee\.test>/m)
  const { token } = await openLink(app, linkIn(text))
  assert.equal((await useMagic(app, token)).status, 200)
  assert.deepEqual(await lettersTo(app, reader.email), [], 'what went out is not kept')
})

test('a letter that the mail server does not take at first is sent again, and no address stands in the job', async () => {
  const app = await startApp(settings)
  const email = `late-${randomUUID()}@example.org`
  await addReader(app, { emails: [email] })
  await askForLink(app, email)
  const failed = await eventually(async () => {
    const { rows } = await sql<{ last_error: string; payload: object }>`select last_error, payload
      from graphile_worker._private_jobs where last_error is not null`.execute(app.context.db)
    return rows[0]
  }, 20_000)
  assert.match(failed.last_error, /did not take a letter \(EENVELOPE 450\)/)
  assert.ok(!JSON.stringify(failed).includes('@example.org'))
  const { token } = await openLink(app, linkIn(plain((await receivedBy(email, 30_000)).data)))
  assert.equal((await useMagic(app, token)).status, 200)
})

test('without a template, or when it is gone, a short letter of ours is sent', async () => {
  const app = await startApp(signInSettings)
  const reader = await addReader(app)
  await linkFor(app, reader)
  const [letter] = await lettersTo(app, reader.email)
  assert.equal(letter!.subject, `Sign in to ${app.environment.name}`)
  assert.equal(letter!.html, null)
  assert.match(letter!.text, /works once, within 15 minutes/)
  const asked = await addTemplate(app, { subject: 'Of the environment', html: '<b>{{link}}</b>' })
  await linkFor(app, reader, asked)
  const [second] = await lettersTo(app, reader.email)
  assert.equal(second!.subject, 'Of the environment')
  assert.match(second!.html!, /^<b>https:\/\/marquee\.test\/customers\/sign_in\/mqt_[\w-]+<\/b>$/)
  assert.match(second!.text, /works once/)
})

test('where the database is in the data folder, so are the letters that are kept', async () => {
  const { context, organisation } = await startApp(signInSettings)
  const data = await mkdtemp(join(tmpdir(), 'marquee-letters-'))
  try {
    const mail = mailer({ ...context.config, databaseUrl: undefined, data }, context.db)
    const to = `${randomUUID()}@example.org`
    const letter = { organisation_id: organisation, environment_id: null, subject: 'Hello', text: 'Words' }
    await mail.send({ ...letter, to })
    const [file, ...others] = await readdir(join(data, 'mailbox'))
    assert.deepEqual(others, [])
    const path = join(data, 'mailbox', file!)
    const text = await readFile(path, 'utf8')
    assert.ok(text.includes(`To: ${to}`) && text.includes('Words'), text)
    assert.equal((await stat(path)).mode & 0o077, 0, 'for nobody else on the machine')
    assert.equal(await mail.discard(context.db, sql`recipient = ${to}`), 1)
    assert.deepEqual(await readdir(join(data, 'mailbox')), [])
  } finally {
    await rm(data, { recursive: true })
  }
})
