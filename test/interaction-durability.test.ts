import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killInteractionRounds } from '../bench/kill-interactions.ts'

// `node bench/kill-interactions.ts --rounds 100` is the same at length.
test('interactions that were accepted outlive a kill of the service, of PostgreSQL and of both, and count once', async () => {
  const rounds = await killInteractionRounds(['server', 'postgres', 'both'], {
    clients: 16,
    seconds: 1,
    patience: 30,
  })
  for (const { target, acknowledged, failures } of rounds) {
    assert.deepEqual(failures, [], `after the kill of ${target}`)
    assert.ok(acknowledged > 0, `nothing was accepted before the kill of ${target}`)
  }
})
