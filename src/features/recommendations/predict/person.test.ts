import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addPublished, idsOf, interact, learn, predicted } from '../../../../test/harness/recommendations.ts'
import {
  addReader,
  personalToken,
  type Reader,
  signIn,
  signInSettings,
} from '../../../../test/harness/sign-in.ts'

const crowd = Array.from({ length: 12 }, (_, number) => `reader-${number}`)

/** Somebody who saw the first of three that a crowd saw all of; others are there that nobody saw. */
const acquainted = async (more: object = {}) => {
  const app = await startApp(signInSettings)
  const seen: string[] = []
  for (const title of ['Roses', 'Tulips', 'Hedges']) seen.push(await addPublished(app, title))
  for (let number = 0; number < 5; number++) await addPublished(app, `Nothing ${number}`)
  for (const id of seen) await interact(app, id, crowd)
  const reader = await addReader(app, more)
  await view(app, seen[0]!, reader)
  await learn(app)
  return { app, seen, reader }
}

const view = async (app: TestApp, id: string, reader: Reader, more: object = {}): Promise<void> => {
  const body = { label: 'View', person: { id: reader.id }, ...more }
  const answer = await app.post(`/publications/${id}/interactions`, body)
  assert.equal(answer.status, 202, answer.text)
}

const shown = (app: TestApp) =>
  app.sql<{ recommendation_id: string; person_key: string | null; publications: string[] }[]>`
    select recommendation_id, person_key, publications from recommendation_impressions
    where environment_id = ${app.environment.id} order by id`

test('a personal token is recommended to by its own past, and asks for nobody else', async () => {
  const { app, seen, reader } = await acquainted()
  const token = await personalToken(app, reader)
  const body = await predicted(app, 'recommended_for_you', '', { token })
  assert.deepEqual(new Set(idsOf(body).slice(0, 2)), new Set(seen.slice(1)))
  assert.ok(!idsOf(body).includes(seen[0]!))
  const same = await predicted(app, 'recommended_for_you', `person_id=${reader.id}`, { token })
  assert.deepEqual(idsOf(same), idsOf(body))
  const other = await addReader(app)
  const path = '/recommendations/recommended_for_you/predict'
  const foreign = await app.get(`${path}?person_id=${other.id}`, { token })
  const absent = await app.get(`${path}?person_id=absent`, { token })
  assert.deepEqual([foreign.status, absent.status], [404, 404])
})

test('the secret of a session is as good as the id of its person, as long as the session is open', async () => {
  const { app, seen, reader } = await acquainted()
  const { body: session } = await signIn(app, reader)
  const body = await predicted(app, 'recommended_for_you', `session_hash=${session.hash}`)
  assert.ok(!idsOf(body).includes(seen[0]!))
  assert.deepEqual(idsOf(body), idsOf(await predicted(app, 'recommended_for_you', `person_id=${reader.id}`)))
  const path = `/recommendations/recommended_for_you/predict?session_hash=${session.hash}`
  const both = await app.get(`${path}&person_id=${reader.id}`)
  assert.deepEqual([both.status, both.body.errors[0].path], [400, 'session_hash'])
  const elsewhere = await startApp(signInSettings)
  assert.equal((await elsewhere.get(path)).status, 400)
  const ended = await app.delete(`/sessions/${session.id}?session_hash=${session.hash}`, { token: null })
  assert.equal(ended.status, 204, ended.text)
  assert.equal((await app.get(path)).status, 400)
  const { body: over } = await signIn(app, reader)
  await app.sql`update person_sessions set expires_on = now() - interval '1 second' where id = ${over.id}`
  const late = await app.get(`/recommendations/recommended_for_you/predict?session_hash=${over.hash}`)
  assert.equal(late.status, 400)
})

test('of who is not to be tracked nothing is used and nothing is kept', async () => {
  const { app, seen, reader } = await acquainted()
  const changed = await app.put(`/persons/${reader.id}`, { tracking: false })
  assert.equal(changed.status, 200, changed.text)
  const untracked = await predicted(app, 'recommended_for_you', `person_id=${reader.id}`)
  assert.ok(idsOf(untracked).includes(seen[0]!), 'what was seen is not left out')
  const nobody = await predicted(app, 'recommended_for_you', 'limit=7')
  assert.deepEqual(idsOf(untracked).slice(0, 7), idsOf(nobody))
  // Written in order: once the answer to nobody is there, the one before would be.
  await eventually(async () => (await shown(app)).length > 0)
  assert.deepEqual(
    (await shown(app)).map(({ person_key, publications }) => [person_key, publications.length]),
    [[null, 7]],
  )
})

test('what is told by recommendation.id is a click on that recommendation and on no other, and a trial does not count', async () => {
  const { app, reader } = await acquainted()
  const add = async (name: string): Promise<string> =>
    (await app.post('/recommendations', { name, type: 'recommended_for_you' })).body.id
  const asked = await add('Asked')
  const other = await add('Other')
  await predicted(app, asked, `person_id=${reader.id}&limit=2&trial=true`)
  const body = await predicted(app, asked, `person_id=${reader.id}&limit=2`)
  await predicted(app, other, `person_id=${reader.id}&limit=2`)
  assert.deepEqual(body.recommendation, { id: asked, variant: 'recommended' })
  await eventually(async () => (await shown(app)).length === 2)
  await view(app, idsOf(body)[0]!, reader, { recommendation_id: body.recommendation.id })
  const insights = async (id: string) => {
    const { impressions, clicks } = (await app.get(`/recommendations/${id}/insights`)).body
    return [impressions, clicks]
  }
  assert.deepEqual([await insights(asked), await insights(other)], [
    [2, 1],
    [2, 0],
  ] as never)
})
