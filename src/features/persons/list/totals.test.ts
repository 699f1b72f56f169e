import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../../test/harness/app.ts'
import { addTag } from '../../../../test/harness/factories.ts'
import type { Context } from '../../../context.ts'

const lists = [
  '',
  'gender[eq]=female',
  'gender[neq]=female',
  'age[gte]=30',
  'age[lt]=30',
  'tags[has]=true',
  'tags[has]=false',
  'terms[eq]=t1',
  'stream_accounts[eq]=7',
  'stream_accounts[has]=false',
  'password[has]=true',
  'reference_id[has]=true',
  'changed_on[has]=true',
  'created_on[gte]=2020-01-01&gender[in]=male,female',
  'exclude_until[has]=true',
  'or[0][gender][eq]=male&or[1][terms][has]=true',
]

const bodies = [
  { gender: 'female', date_of_birth: '1980-05-05', terms: [{ id: 't1' }], password: 'correct horse' },
  {
    gender: 'male',
    date_of_birth: '2015-05-05',
    accounts: [{ provider: 'stream', id: '7' }],
    reference_id: 'r1',
  },
  { gender: null, created_on: '2019-12-31', exclude_until: '2030-01-01' },
  { gender: 'other', created_on: '2020-01-01', terms: [], accounts: [] },
  { date_of_birth: null, exclude_until: null, password: null },
]

test('totals stay true while persons are written, and are not counted anew', async () => {
  let counts = 0
  const prepare = ({ totals }: Context) => {
    const { of } = totals
    totals.of = (asked) => {
      const count = () => {
        counts += 1
        return asked.count()
      }
      return of({ ...asked, count })
    }
  }
  const app = await startApp({}, { prepare })
  const tag = await addTag(app)
  const check = async (what: string) => {
    for (const list of lists) {
      const { body } = await app.get(`/persons?limit=500&${list}`)
      assert.equal(body.total, body.items.length, `${what}: ${list}`)
    }
  }
  await check('nobody')
  const ids: string[] = []
  const before = counts
  for (const [n, body] of bodies.entries()) {
    const made = await app.post('/persons', { ...body, ...(n % 2 === 0 && { tags: [{ id: tag.id }] }) })
    assert.equal(made.status, 201, made.text)
    ids.push(made.body.id)
    await check(`created ${n}`)
  }
  for (const [n, id] of ids.entries()) {
    const changed = await app.put(`/persons/${id}`, {
      ...bodies[(n + 1) % bodies.length],
      reference_id: `x${n}`,
      tags: n % 2 === 0 ? [] : [{ id: tag.id }],
    })
    assert.equal(changed.status, 200, changed.text)
    await check(`changed ${n}`)
  }
  assert.equal(counts, before)
  await app.delete(`/tags/${tag.id}`)
  await check('tag deleted')
})
