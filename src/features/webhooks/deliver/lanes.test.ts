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

/** Has webhooks answer well until each is given as much as there is. */
const raise = async ({ lanes, endAll }: ReturnType<typeof controlled>, ...webhooks: string[]) => {
  for (let round = 0; round < 20; round += 1)
    for (const webhook of webhooks) {
      lanes.add(many(webhook, Math.min(16, lanes.roomFor(webhook))))
      await endAll(true)
      await endAll(true)
    }
}

test('a webhook begins with two calls; it is given more when it answers, and less when it fails', async () => {
  const { lanes, open, endAll } = controlled()
  assert.equal(lanes.roomFor('a'), 2)
  lanes.add(many('a', 8))
  assert.equal(open.length, 2)
  await endAll(true)
  assert.equal(open.length, 4)
  await endAll(false)
  lanes.drain()
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
  const started = controlled()
  const { lanes, open, endAll } = started
  await raise(started, 'a')
  assert.ok(lanes.roomFor('a') > 100)
  lanes.add(many('a', 100))
  assert.equal(open.length, 16)
  assert.equal(lanes.drain().length, 84)
  await endAll(true)
})

test('what was not tried says nothing of a webhook', async () => {
  const lanes = openLanes(async () => undefined)
  lanes.add(many('a', 1))
  await turn()
  assert.equal(lanes.roomFor('a'), 2)
})

test('those that have not answered hold half of all calls at most; who waits comes in turn', async () => {
  const started = controlled()
  const { lanes, open, endAll } = started
  await raise(started, 'good')
  for (let webhook = 0; webhook < 300; webhook += 1) lanes.add(many(`w${webhook}`, 2))
  assert.equal(open.length, 256)
  lanes.add(many('good', 5))
  assert.equal(open.filter(({ webhook }) => webhook === 'good').length, 2)
  const [first] = open.splice(0, 1)
  first!.end(false)
  await turn()
  assert.equal(open.filter(({ webhook }) => webhook !== 'good').length, 256)
  assert.equal(open.at(-1)!.webhook, 'w128')
  lanes.drain()
  await endAll(true)
  assert.equal(lanes.underWay(), 0)
})

test('webhooks that answered well and hang all together leave room for others', async () => {
  const started = controlled()
  const { lanes, open, endAll } = started
  const names = Array.from({ length: 41 }, (_, index) => `w${index}`)
  await raise(started, ...names)
  for (const name of names.slice(0, 40)) lanes.add(many(name, 16))
  assert.ok(open.length < 400, `${open.length}`)
  lanes.add(many('w40', 1))
  assert.equal(open.at(-1)!.webhook, 'w40')
  lanes.drain()
  await endAll(true)
})
