import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killUploads } from '../bench/kill-uploads.ts'

// `node bench/kill-uploads.ts` is the same with 300 MB.
test('an upload outlives kills after each chunk and at its end, and gives the same bytes', async () => {
  assert.deepEqual(await killUploads({ chunks: 2, bytes: 2_000_000 }), [])
})
