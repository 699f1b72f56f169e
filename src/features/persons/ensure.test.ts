import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { actorIn } from '../../../test/harness/factories.ts'
import { eventsOf, made } from '../../../test/harness/records/kind.ts'
import { transaction } from '../../database/transaction.ts'
import { blankPerson } from './apply.ts'
import { ensurePersons } from './ensure.ts'
import { savePersons } from './save.ts'

test('persons are found by their references and made where they are missing, each once', async () => {
  const app = await startApp()
  const actor = actorIn(app)
  const known = made(await app.post('/persons', { reference_id: 'known' }))
  const references = ['known', ...Array.from({ length: 50 }, (_, number) => `new-${number}`)]
  const ask = (order: string[]) =>
    transaction(app.context, (tx) =>
      ensurePersons(
        tx,
        actor,
        [...order, ...order].map((reference_id) => ({ reference_id })),
      ),
    )
  const found = await Promise.all(
    Array.from({ length: 10 }, (_, turn) => ask(turn % 2 ? references : references.toReversed())),
  )
  for (const map of found) assert.deepEqual([...map.keys()].sort(), references.toSorted())
  const keys = found.map((map) => references.map((reference) => map.get(reference)!.key).join())
  assert.equal(new Set(keys).size, 1)
  assert.equal(found[0]!.get('known')!.id, known.id)
  assert.equal((await app.get('/persons')).body.total, 51)
  assert.deepEqual(await eventsOf(app, found[0]!.get('new-7')!.id), ['person.created'])
  const { body } = await app.get(`/persons?fields=reference_id&id[eq]=${found[0]!.get('new-7')!.id}`)
  assert.equal(body.items[0].reference_id, 'new-7')
})

test('an id that a caller gives is taken for a new person, and left where somebody has it', async () => {
  const app = await startApp()
  made(await app.post('/persons', { id: 'taken' }))
  const wanted = [
    { reference_id: 'a', id: 'own-a' },
    { reference_id: 'b', id: 'taken' },
  ]
  const found = await transaction(app.context, (tx) => ensurePersons(tx, actorIn(app), wanted))
  assert.deepEqual(
    [...found].map(([reference, { id }]) => [reference, id]),
    [['a', 'own-a']],
  )
})

test('many persons are saved at once, and changed at once', async () => {
  const app = await startApp()
  const actor = actorIn(app)
  const persons = Array.from({ length: 1000 }, (_, number) => ({
    ...blankPerson(actor),
    first_name: `Name ${number}`,
    emails: [
      {
        id: String(number),
        created_on: '',
        changed_on: null,
        email: `a${number}@example.org`,
        verified: false,
      },
    ],
  }))
  const made = await transaction(app.context, (tx) =>
    savePersons(
      tx,
      actor,
      persons.map((after) => ({ before: null, after })),
    ),
  )
  const changed = made.map((person) => ({ before: person, after: { ...person, nickname: 'Same', tags: [] } }))
  await transaction(app.context, (tx) => savePersons(tx, actor, changed))
  const { body } = await app.get('/persons?limit=2')
  assert.deepEqual([body.total, body.items[0].nickname], [1000, 'Same'])
  assert.equal(new Set(made.map(({ key }) => key)).size, 1000)
})
