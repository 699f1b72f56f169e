import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delayAfter, delays } from './schedule.ts'

test('ten attempts take about 75 hours, each wait a tenth more or less', () => {
  const waits = delays.map((_, attempts) => delayAfter(attempts, 0.5)!)
  assert.deepEqual(waits, delays)
  const hours = waits.reduce((sum, wait) => sum + wait, 0) / 3_600_000
  assert.ok(hours > 75 && hours < 76, `${hours} h`)
  for (const [attempts, delay] of delays.entries()) {
    assert.equal(delayAfter(attempts, 0), Math.round(delay * 0.9))
    assert.equal(delayAfter(attempts, 1), Math.round(delay * 1.1))
  }
  assert.equal(delayAfter(10), undefined)
  assert.ok(new Set(Array.from({ length: 50 }, () => delayAfter(5))).size > 10)
})
