import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failures, killRounds } from '../bench/kill.ts'

// `node bench/kill.ts --rounds 100` is the same at length.
test('what was acknowledged outlives a kill of the service, of PostgreSQL and of both', async () => {
  const rounds = await killRounds(['server', 'postgres', 'both'], { seconds: 1, patience: 30 })
  assert.deepEqual(failures(rounds), [])
  for (const { target, acknowledged } of rounds)
    assert.ok(acknowledged > 0, `no write was acknowledged before the kill of ${target}`)
})
