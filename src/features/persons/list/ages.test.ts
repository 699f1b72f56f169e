import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { startApp } from '../../../../test/harness/app.ts'
import { addKnown } from '../../../../test/harness/audience/people.ts'
import { ageOn, bornBy, todayIn } from '../age.ts'
import { personCondition } from './conditions.ts'
import { readPersonFilter } from './read.ts'

const at = (now: string, time_zone = 'UTC') => ({ environment: { id: '', time_zone }, now: new Date(now) })

test('who was born on 29 February grows older on 1 March, in leap years on the day', () => {
  const ages = (born: string) =>
    ['2023-02-28', '2023-03-01', '2024-02-28', '2024-02-29', '2024-03-01'].map((day) => ageOn(born, day))
  assert.deepEqual(ages('2000-02-29'), [22, 23, 23, 24, 24])
  assert.deepEqual(ages('2000-02-28'), [23, 23, 24, 24, 24])
  assert.deepEqual(ages('2000-03-01'), [22, 23, 23, 23, 24])
  assert.equal(ageOn(null, '2024-01-01'), null)
})

const day = fc
  .date({ min: new Date('1895-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const leapDays = fc.constantFrom(
  '1896-02-29',
  '1904-02-29',
  '2000-02-29',
  '2004-02-28',
  '2004-02-29',
  '2004-03-01',
  '2023-02-28',
  '2024-02-29',
  '1900-02-28',
  '1900-03-01',
)
const anyDay = fc.oneof(day, leapDays)

test('an age and the dates of birth that it stands for agree on every day', () => {
  fc.assert(
    fc.property(anyDay, anyDay, fc.integer({ min: 0, max: 130 }), (born, today, age) => {
      if (born > today) return
      assert.equal(born <= bornBy(age, today), ageOn(born, today)! >= age, `${born} ${today} ${age}`)
    }),
    { numRuns: 5000 },
  )
})

test('the list asks the same of PostgreSQL, on any day and where it is another one', async () => {
  const app = await startApp()
  const { db } = app.context
  const births = ['1996-02-28', '1996-02-29', '1996-03-01', '1997-02-28', '1997-03-01', '2004-02-29', null]
  for (const [n, date_of_birth] of births.entries())
    await addKnown(app, app.environment, { id: `p${n}`, date_of_birth })
  const moments = [
    '2026-02-28T12:00:00Z',
    '2026-03-01T00:30:00Z',
    '2024-02-29T12:00:00Z',
    '2024-02-29T23:30:00Z',
    '2025-02-28T23:59:59.999Z',
  ]
  for (const now of moments)
    for (const zone of ['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati'])
      for (const operator of ['eq', 'lt', 'lte', 'gt', 'gte'] as const)
        for (const age of [20, 21, 28, 29, 30]) {
          const filter = readPersonFilter({ age: { [operator]: age } }, [])
          const { rows } = await sql<{ id: string }>`select id from persons as row
            where row.environment_id = ${app.environment.id} and ${personCondition(at(now, zone), filter)} order by id`.execute(
            db,
          )
          const today = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date(now))
          const fits = (born: string | null) => {
            const is = ageOn(born, today)
            if (is === null) return false
            return { eq: is === age, lt: is < age, lte: is <= age, gt: is > age, gte: is >= age }[operator]
          }
          const expected = births.flatMap((born, n) => (fits(born) ? [`p${n}`] : []))
          assert.deepEqual(
            rows.map(({ id }) => id),
            expected,
            `${now} ${zone} ${operator} ${age}`,
          )
        }
})

test('a birthday is that of the place where the environment is', async () => {
  const app = await startApp()
  const today = todayIn('Pacific/Kiritimati')
  const date_of_birth = `${Number(today.slice(0, 4)) - 28}${today.slice(4)}`
  await addKnown(app, app.environment, { id: 'p', date_of_birth })
  const total = async (query: string) => (await app.get(`/persons?${query}`)).body.total
  const totals = async () => Promise.all(['age[eq]=28', 'age[eq]=27', 'age[gte]=28', 'age[lt]=28'].map(total))
  for (const [time_zone, expected] of [
    ['Pacific/Kiritimati', [1, 0, 1, 0]],
    ['Pacific/Pago_Pago', [0, 1, 0, 1]],
  ] as const) {
    const changed = await app.put(`/environments/${app.environment.id}`, { time_zone })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(await totals(), expected, time_zone)
  }
})
