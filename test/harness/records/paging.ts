import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { TestApp } from '../app.ts'
import { faults, generations, made, type RecordKind, sample, startEmpty } from './kind.ts'

const count = 60
const sorts = ['created_on', 'changed_on', '-changed_on', 'created_on,-changed_on', '-created_on,changed_on']

/** Many records of the same moment, a third of them never changed: ties and nulls are where cursors break. */
const startWithMany = async (kind: RecordKind): Promise<{ app: TestApp; ids: string[] }> => {
  const app = await startEmpty(kind)
  const names = Array.from({ length: count }, (_, index) => `Row ${String(index).padStart(2, '0')}`)
  const answers = await Promise.all(names.map((name) => app.post(kind.path, sample(kind, name))))
  const ids = answers.map((answer) => made(answer).id)
  await sql`update ${sql.table(kind.table)} set
      created_on = '2020-01-01'::timestamptz + make_interval(secs => right(${sql.ref(kind.text)}, 1)::int),
      changed_on = case when right(${sql.ref(kind.text)}, 2)::int % 3 > 0
        then '2020-02-01'::timestamptz + make_interval(secs => right(${sql.ref(kind.text)}, 2)::int / 4) end
    where environment_id = ${app.environment.id}`.execute(app.context.db)
  return { app, ids }
}

type Dated = { id: string; created_on: string; changed_on: string | null }

/** Among records of one moment those that were never changed come last, whatever the direction. */
const nullsLast = (items: Dated[]): boolean =>
  items.every((item, index) => {
    const next = items[index + 1]
    return item.changed_on !== null || next?.created_on !== item.created_on || next.changed_on === null
  })

const linkOf = (header: string | null, rel: string): string | undefined =>
  header
    ?.split(', ')
    .find((link) => link.endsWith(`rel="${rel}"`))
    ?.replace(/^<https:\/\/marquee\.test([^>]*)>.*$/, '$1')

export const checkPaging = (kind: RecordKind): void => {
  for (const generation of generations) {
    const url = generation + kind.path

    test(`${url}: walking ${count} rows by Link and by cursor, forwards and back, gives each exactly once`, async () => {
      const { app, ids } = await startWithMany(kind)
      for (const sort of [...sorts, `-${kind.text}`]) {
        const whole = await app.get(`${url}?sort=${sort}&limit=1000`)
        const expected: string[] = whole.body.items.map((item: { id: string }) => item.id)
        assert.deepEqual(expected.toSorted(), ids.toSorted())
        assert.equal(whole.headers.get('link'), null)
        if (sort.includes(',')) assert.ok(nullsLast(whole.body.items), sort)

        const walk = async (start: string, rel: 'next' | 'prev') => {
          const pages: string[][] = []
          let last = start
          for (let at: string | undefined = start; at !== undefined; ) {
            last = at
            const page = await app.get(at)
            assert.equal(page.status, 200, page.text)
            assert.equal(page.body.total, count)
            pages.push(page.body.items.map((item: { id: string }) => item.id))
            assert.ok(pages.length < 20, 'the walk must end')
            at = linkOf(page.headers.get('link'), rel)
          }
          return { pages, last }
        }
        const forwards = await walk(`${url}?sort=${sort}&limit=7`, 'next')
        assert.deepEqual(forwards.pages.flat(), expected, sort)
        const backwards = await walk(forwards.last, 'prev')
        assert.deepEqual(backwards.pages.reverse().flat(), expected, `${sort} backwards`)

        const bodies = []
        for (let after = ''; ; ) {
          const { body } = await app.get(`${url}?sort=${sort}&limit=13&after=${after}`)
          if (body.items.length === 0) break
          bodies.push(...body.items.map((item: { id: string }) => item.id))
          after = body.after
        }
        assert.deepEqual(bodies, expected, `${sort} by cursor`)
      }
    })

    test(`${url}: skip counts rows, and a cursor belongs to its own sort and filter`, async () => {
      const { app } = await startWithMany(kind)
      const sorted = `${url}?sort=${kind.text}`
      const skipped = await app.get(`${sorted}&skip=58`)
      assert.deepEqual(
        skipped.body.items.map((item: Record<string, string>) => item[kind.text]),
        ['Row 58', 'Row 59'],
      )
      assert.deepEqual([skipped.body.total, skipped.body.skip, skipped.body.limit], [count, 58, 25])
      assert.equal((await app.get(`${sorted}&total=false`)).body.total, undefined)
      const { after } = skipped.body
      const { body } = await app.get(`${sorted}&after=${after}`)
      assert.deepEqual([body.items, body.total], [[], count])
      assert.deepEqual(faults(await app.get(`${url}?sort=-${kind.text}&after=${after}`)), ['after'])
      assert.deepEqual(faults(await app.get(`${sorted}&changed_on[has]=true&after=${after}`)), ['after'])
      for (const bad of ['x', 'W10', `${after}x`])
        assert.deepEqual(faults(await app.get(`${sorted}&before=${bad}`)), ['before'])
    })
  }
}
