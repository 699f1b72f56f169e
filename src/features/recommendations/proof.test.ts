import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addPerson, addTag } from '../../../test/harness/factories.ts'
import { addPublished, idsOf, interact, learn, predicted } from '../../../test/harness/recommendations.ts'
import { judgeRecommendations } from './insights/jobs.ts'
import { diversified } from './predict/diversity.ts'

/** An environment that has seen much: the count is all that is asked for. */
const experienced = async () => {
  const app = await startApp()
  const ids: string[] = []
  for (let number = 0; number < 30; number++) ids.push(await addPublished(app, `Story ${number}`))
  await interact(app, ids[0]!, ['early-1', 'early-2'])
  await sql`insert into publication_counters values (${app.environment.id}, 'gone', 'View', 10000)`.execute(
    app.context.db,
  )
  await learn(app)
  return { app, ids }
}

const persons = async (app: TestApp, count: number): Promise<string[]> => {
  const found: string[] = []
  for (let number = 0; number < count; number++) found.push((await addPerson(app)).id)
  return found
}

const configured = async (app: TestApp, more: object): Promise<string> => {
  const made = await app.post('/recommendations', { name: 'Proof', type: 'recommended_for_you', ...more })
  assert.equal(made.status, 201, made.text)
  return made.body.id
}

test('the same persons get the dummy each time, about as many as were asked for', async () => {
  const { app } = await experienced()
  const id = await configured(app, { control_share: 0.5, exploration: 0 })
  const everybody = await persons(app, 40)
  const variants = async () => {
    const found: string[] = []
    for (const person of everybody)
      found.push((await predicted(app, id, `person_id=${person}&limit=1`)).recommendation.variant)
    return found
  }
  const first = await variants()
  assert.deepEqual(await variants(), first)
  const control = first.filter((variant) => variant === 'control').length
  assert.ok(control > 8 && control < 32, `${control} of 40`)
  assert.ok(first.includes('recommended'))
})

test('nobody is compared and nothing is tried before there are 10,000 interactions', async () => {
  const app = await startApp()
  for (let number = 0; number < 12; number++) await addPublished(app, `Story ${number}`)
  await learn(app)
  const id = await configured(app, { control_share: 0.5, exploration: 0.5 })
  for (const person of await persons(app, 10)) {
    const body = await predicted(app, id, `person_id=${person}&explain=true`)
    assert.equal(body.recommendation.variant, 'recommended')
    for (const item of body.items) assert.equal(item.reason.exploring, false)
  }
})

test('some slots try publications that few have seen, and with which chance is written down', async () => {
  const { app } = await experienced()
  const id = await configured(app, { control_share: 0, exploration: 0.5 })
  const body = await predicted(app, id, 'limit=10&explain=true')
  const exploring = body.items.filter((item: { reason: { exploring: boolean } }) => item.reason.exploring)
  assert.equal(exploring.length, 5)
  assert.equal(new Set(idsOf(body)).size, 10)
  const [row] = await eventually(async () => {
    const rows = await app.sql<{ publications: string[]; propensities: number[] }[]>`
      select publications, propensities from recommendation_impressions where recommendation_id = ${id}`
    return rows.length > 0 && rows
  })
  assert.deepEqual(row!.publications, idsOf(body))
  assert.equal(row!.propensities.filter((chance) => chance < 1).length, 5)
})

test('no more of one tag follow one another than the recommendation allows', async () => {
  const { app } = await experienced()
  const tag = await addTag(app, { body: 'Everywhere' })
  const tagged: string[] = []
  for (let number = 0; number < 6; number++)
    tagged.push(await addPublished(app, `Tagged ${number}`, [tag.id]))
  for (const id of tagged) await interact(app, id, ['anybody'], { label: 'Purchase' })
  await learn(app)
  const runOf = (ids: string[]): number => {
    let longest = 0
    let run = 0
    for (const id of ids) {
      run = tagged.includes(id) ? run + 1 : 0
      longest = Math.max(longest, run)
    }
    return longest
  }
  const weights = { popularity: 1 }
  const any = await configured(app, { diversity: 0, exploration: 0, control_share: 0, weights })
  await eventually(async () => runOf(idsOf(await predicted(app, any))) === 6, 10_000)
  const two = await configured(app, { diversity: 2, exploration: 0, control_share: 0, weights })
  assert.equal(runOf(idsOf(await predicted(app, two))), 2)
})

test('each place goes to the best that fits', () => {
  const tags = { a: ['x'], b: ['x'], c: ['x'], d: ['y'], e: [] } as Record<string, string[]>
  assert.deepEqual(
    diversified(['a', 'b', 'c', 'd', 'e'], (one) => tags[one]!, 2, 5),
    ['a', 'b', 'd', 'c', 'e'],
  )
})

/** Answers and clicks of many persons, as if they had happened. */
const happened = async (app: TestApp, id: string, variant: string, count: number, clicking: number) => {
  await sql`insert into recommendation_impressions
      (environment_id, recommendation_id, variant, person_key, publications, propensities, created_on)
    select ${app.environment.id}, ${id}, ${variant}, number, array['p'], array[1], now() - interval '1 hour'
    from generate_series(${variant === 'control' ? 100_001 : 1}::bigint,
      ${variant === 'control' ? 100_000 + count : count}::bigint) number`.execute(app.context.db)
  await sql`insert into interactions
      (environment_id, created_on, id, publication_id, person_key, label, recommendation_id)
    select ${app.environment.id}, now() - interval '30 minutes', ${id} || number, 'p', number, 'View', ${id}
    from generate_series(${variant === 'control' ? 100_001 : 1}::bigint,
      ${variant === 'control' ? 100_000 + clicking : clicking}::bigint) number`.execute(app.context.db)
}

test('insights tell impressions, clicks, rate and lift with its interval, whole and by day', async () => {
  const app = await startApp()
  const id = await configured(app, {})
  await happened(app, id, 'recommended', 1000, 300)
  await happened(app, id, 'control', 1000, 200)
  const { status, body } = await app.get(`/recommendations/${id}/insights`)
  assert.equal(status, 200)
  assert.deepEqual([body.impressions, body.clicks, body.ctr], [2000, 500, 0.25])
  assert.equal((await app.get(`/recommendations/${id}/insights?days=90`)).body.impressions, 2000)
  for (const days of ['0', '91', '7.5', 'x']) {
    const refused = await app.get(`/recommendations/${id}/insights?days=${days}`)
    assert.deepEqual([refused.status, refused.body.errors?.[0].path], [400, 'days'])
  }
  assert.deepEqual(body.recommended, { impressions: 1000, clicks: 300, ctr: 0.3 })
  assert.deepEqual(body.control, { impressions: 1000, clicks: 200, ctr: 0.2 })
  assert.equal(body.lift, 0.5)
  // exp(ln 1.5 ± 1.96 √(0.7/300 + 0.8/200)), as in any textbook.
  assert.ok(Math.abs(body.lift_low - 0.2834) < 0.001, body.lift_low)
  assert.ok(Math.abs(body.lift_high - 0.7532) < 0.001, body.lift_high)
  assert.equal(body.fallback, null)
  assert.equal(
    body.days.reduce((sum: number, day: { clicks: number }) => sum + day.clicks, 0),
    500,
  )
})

test('a recommendation that loses to the dummy gives way to it, says so, and is tried again once changed', async () => {
  const app = await startApp()
  const losing = await configured(app, {})
  const even = await configured(app, {})
  await happened(app, losing, 'recommended', 1000, 100)
  await happened(app, losing, 'control', 1000, 200)
  await happened(app, even, 'recommended', 1000, 190)
  await happened(app, even, 'control', 1000, 200)
  await app.sql`update recommendations set created_on = now() - interval '1 day'`
  await judgeRecommendations(app.context)
  assert.equal((await predicted(app, losing)).recommendation.variant, 'fallback')
  assert.equal((await predicted(app, even)).recommendation.variant, 'recommended')
  const { fallback } = (await app.get(`/recommendations/${losing}/insights`)).body
  assert.equal(fallback.lift, -0.5)
  assert.ok((await app.get(`/recommendations/${losing}?fields=fallback`)).body.fallback.since)
  assert.equal((await app.put(`/recommendations/${losing}`, { name: 'Another try' })).status, 200)
  assert.equal((await predicted(app, losing)).recommendation.variant, 'recommended')
})

test('a click counts for the answer that showed it, by the label that was asked for', async () => {
  const { app, ids } = await experienced()
  const id = await configured(app, { control_share: 0, exploration: 0, kpi_label: 'Purchase' })
  const person = await addPerson(app)
  await predicted(app, id, `person_id=${person.id}&limit=5`)
  await eventually(async () => (await app.get(`/recommendations/${id}/insights`)).body.impressions === 5)
  const send = (label: string, publication: string) =>
    app.post(`/publications/${publication}/interactions`, {
      label,
      person: { id: person.id },
      recommendation_id: id,
    })
  const answered = await app.sql<{ publications: string[] }[]>`
    select publications from recommendation_impressions where recommendation_id = ${id}`
  const first = answered[0]!.publications[0]!
  const never = ids.find((one) => !answered[0]!.publications.includes(one))!
  for (const [label, publication] of [
    ['View', first],
    ['Purchase', first],
    ['Purchase', never],
  ] as const)
    assert.equal((await send(label, publication)).status, 202)
  const { body } = await app.get(`/recommendations/${id}/insights`)
  assert.deepEqual([body.impressions, body.clicks], [5, 1])
})
