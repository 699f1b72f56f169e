import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Claimed } from './claim.ts'
import { openLanes } from './lanes.ts'

const claimed = (webhook: string, n = 0): Claimed =>
  ({ webhook: { id: webhook }, body: `${n}` }) as unknown as Claimed
const many = (webhook: string, count: number) => Array.from({ length: count }, (_, n) => claimed(webhook, n))
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Lanes whose calls end when they are told to. */
const controlled = () => {
  const open: { webhook: string; end: (went: boolean) => void }[] = []
  const lanes = openLanes(({ webhook }) => new Promise((end) => void open.push({ webhook: webhook.id, end })))
  const endAll = async (went: boolean) => {
    for (const { end } of open.splice(0)) end(went)
    await turn()
  }
  return { lanes, open, endAll }
}

test('a webhook that fails is given less, down to one call at a time, and more again when it answers', async () => {
  const { lanes, open, endAll } = controlled()
  lanes.add(many('a', 16))
  assert.equal(open.length, 16)
  await endAll(false)
  assert.equal(lanes.roomFor('a'), 1)
  lanes.add(many('a', 3))
  assert.equal(open.length, 1)
  await endAll(true)
  assert.equal(open.length, 2)
  await endAll(true)
  assert.ok(lanes.roomFor('a') > 2)
})

test('a webhook that answers well may have more claimed than under way', async () => {
  const { lanes, open, endAll } = controlled()
  for (let round = 0; round < 20; round += 1) {
    lanes.add(many('a', Math.min(16, lanes.roomFor('a'))))
    await endAll(true)
  }
  assert.ok(lanes.roomFor('a') > 100)
  lanes.add(many('a', 100))
  assert.equal(open.length, 16)
  assert.equal(lanes.drain().length, 84)
  await endAll(true)
})

test('five hundred calls under way are the most; who waits comes in turn', async () => {
  const { lanes, open, endAll } = controlled()
  for (let webhook = 0; webhook < 100; webhook += 1) lanes.add(many(`w${webhook}`, 16))
  assert.equal(open.length, 512)
  assert.equal(lanes.underWay(), 512)
  const [first] = open.splice(0, 1)
  first!.end(true)
  await turn()
  assert.equal(open.length, 512)
  lanes.drain()
  await endAll(true)
  assert.equal(lanes.underWay(), 0)
})
