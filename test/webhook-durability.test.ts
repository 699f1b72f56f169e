import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killWebhookRounds } from '../bench/kill-webhooks.ts'

// `node bench/kill-webhooks.ts --rounds 100` is the same at length.
test('every committed change arrives at a webhook, and nothing else, whatever is killed', async () => {
  const found = await killWebhookRounds(['server', 'postgres', 'both'], { seconds: 1, patience: 30 })
  assert.deepEqual(found.failures, [])
  assert.ok(found.events > 0)
  assert.ok(found.repeated > 0, 'no message was sent again')
})
