import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startApp, type TestApp } from '../harness/app.ts'

const sorts = [
  'created_on',
  '-created_on',
  'changed_on',
  '-changed_on',
  'name',
  '-name',
  'changed_on,-name',
  '-name,changed_on',
  '',
]

/** Rows that stay as they are, between others that come, change and go while somebody pages. */
const startCrowd = async (): Promise<{ app: TestApp; stable: string[] }> => {
  const app = await startApp()
  await app.sql`insert into channels (environment_id, id, name, slug, created_on, changed_on)
    select ${app.environment.id}, 'row-' || n, 'Name ' || n % 11, 'slug-' || n,
      now() - make_interval(secs => n / 4), case when n % 3 > 0 then now() - make_interval(secs => n / 5) end
    from generate_series(1, 120) n`
  const stable = Array.from({ length: 120 }, (_, index) => index + 1).filter((number) => number % 2 === 0)
  return { app, stable: stable.map((number) => `row-${number}`) }
}

/** Inserts, changes and deletes rows that are not among the stable ones, until told to stop. */
const disturb = (app: TestApp, seed: number) => {
  let stopped = false
  let writes = 0
  const write = async (round: number): Promise<void> => {
    const number = ((seed + round * 7) % 60) * 2 + 1
    const kind = (seed + round) % 3
    if (kind === 0) await app.post('/channels', { name: `Name ${round % 11}`, slug: `new-${seed}-${round}` })
    if (kind === 1) await app.put(`/channels/row-${number}`, { name: `Name ${(round * 5) % 11}` })
    if (kind === 2) await app.delete(`/channels/row-${number}`)
    writes += 1
  }
  const running = (async () => {
    for (let round = 0; !stopped; round += 1) await write(round)
  })()
  return async () => {
    stopped = true
    await running
    return writes
  }
}

const walk = async (
  app: TestApp,
  sort: string,
  way: 'after' | 'before',
  sizes: number[],
): Promise<string[]> => {
  const seen: string[] = []
  let cursor = ''
  if (way === 'before') cursor = (await app.get(`/channels?sort=${sort}&skip=100000&limit=1`)).body.before
  for (let page = 0; page < 400; page += 1) {
    const limit = sizes[page % sizes.length]
    const { status, body, text } = await app.get(
      `/channels?sort=${sort}&limit=${limit}&total=false&${way}=${encodeURIComponent(cursor)}`,
    )
    assert.equal(status, 200, text)
    const ids = body.items.map(({ id }: { id: string }) => id)
    if (ids.length === 0) return seen
    seen.push(...(way === 'after' ? ids : ids.reverse()))
    cursor = body[way]
  }
  throw new Error('the walk did not end')
}

test('paging while others write repeats and skips nothing that existed throughout', async () => {
  let writes = 0
  // Runs that were begun are finished; interrupting one would leave it writing to a server that is gone.
  const deadline = Date.now() + 9000
  const property = fc.asyncProperty(
    fc.constantFrom(...sorts),
    fc.constantFrom('after' as const, 'before' as const),
    fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 }),
    fc.nat(1000),
    async (sort, way, sizes, seed) => {
      if (Date.now() > deadline) return
      const { app, stable } = await startCrowd()
      const expected = (await walk(app, sort, way, [1000])).filter((id) => stable.includes(id))
      assert.equal(expected.length, stable.length)
      const stop = disturb(app, seed)
      const seen = await walk(app, sort, way, sizes).finally(async () => {
        writes += await stop()
      })
      assert.deepEqual(
        seen.filter((id) => stable.includes(id)),
        expected,
        `${sort} ${way}`,
      )
    },
  )
  await fc.assert(property, { numRuns: 15 })
  assert.ok(writes > 50, `${writes} writes went on meanwhile`)
})
