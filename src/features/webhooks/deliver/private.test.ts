import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../../test/harness/app.ts'
import { startListener } from '../../../../test/harness/listener.ts'
import { faults } from '../../../../test/harness/records/kind.ts'
import {
  addWebhook,
  called,
  deliveryWhen,
  makeEvent,
  startCalling,
} from '../../../../test/harness/webhooks.ts'
import type { Context } from '../../../context.ts'
import { outgoing } from '../../../outgoing/client.ts'

test('no spelling of a private address is called by a webhook', async () => {
  const app = await startApp()
  const canary = await startListener()
  const hosts = ['127.0.0.1', '[::ffff:7f00:1]', '0x7f.1', '0', '2130706433', 'localhost', '169.254.169.254']
  const ids = new Map<string, string>()
  for (const host of hosts)
    ids.set(host, (await addWebhook(app, { url: `http://${host}:${canary.port}/` })).id)
  await makeEvent(app)
  for (const [host, id] of ids) {
    const { error, response_status } = await deliveryWhen(app, id, ({ attempts }) => attempts === 1)
    assert.deepEqual([error, response_status], ['The address is not a public one', null], host)
    const { body } = await app.post(`/webhooks/${id}/test`, {})
    assert.equal(body.error, 'The address is not a public one', host)
  }
  assert.equal(canary.connections, 0)
})

test('a webhook has an address by http or https', async () => {
  const app = await startApp()
  for (const url of [
    'file:///etc/passwd',
    'ftp://example.org/',
    'gopher://127.0.0.1/',
    'javascript:1',
    '//x',
  ])
    assert.deepEqual(faults(await app.post('/webhooks', { url, events: ['tag.created'] })), ['url'], url)
})

test('a redirect to a private address leads nowhere', async () => {
  const app = await startCalling()
  const canary = await startListener()
  const listener = await startListener((response, { url }) =>
    response
      .writeHead(302, {
        location: url === '/a' ? 'http://169.254.169.254/' : `http://[::ffff:7f00:1]:${canary.port}/`,
      })
      .end(),
  )
  const origin = `http://127.0.0.1:${listener.port}`
  for (const path of ['/a', '/b']) {
    const { id } = await addWebhook(app, { url: origin + path })
    const { body } = await app.post(`/webhooks/${id}/test`, {})
    assert.deepEqual([body.status, body.response_status], ['failed', 302])
  }
  assert.equal(canary.connections, 0)
})

test('a name that leads elsewhere at the second look-up is called only where it was checked', async () => {
  let lookUps = 0
  // The allowed address stands for a public one.
  const lookUp = async () => (lookUps++ % 2 === 0 ? ['::1'] : ['127.0.0.1'])
  const prepare = (context: Context) => {
    context.outgoing = outgoing(context.config, { lookUp })
  }
  const app = await startApp({ MARQUEE_ALLOW_PRIVATE_NETWORK: '::1' }, { prepare })
  const checked = await startListener((response) => response.writeHead(200, { connection: 'close' }).end(), {
    host: '::1',
  })
  const canary = await startListener(200, { port: checked.port })
  const { id } = await addWebhook(app, { url: `http://rebinding.example:${checked.port}/` })
  const outcomes: string[] = []
  for (let round = 0; round < 4; round += 1)
    outcomes.push((await app.post(`/webhooks/${id}/test`, {})).body.status)
  assert.deepEqual(outcomes, ['delivered', 'failed', 'delivered', 'failed'])
  await called(checked, 2)
  assert.equal(canary.connections, 0)
})
