import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addTag } from '../../../test/harness/factories.ts'
import type { Loose } from '../../../test/harness/publications.ts'
import { made } from '../../../test/harness/records/kind.ts'

const fields = '?fields=emails,phones,addresses,terms,accounts,bank_accounts,tags'

const put = async (app: TestApp, id: string, body: object): Promise<Loose> => {
  const answer = await app.put(`/persons/${id}${fields}`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** As if all of it had been there for a day: what is stamped anew is then told apart. */
const age = async (app: TestApp, id: string): Promise<void> => {
  const lists = ['emails', 'phones', 'addresses', 'terms', 'accounts']
  for (const name of lists)
    await sql`update persons set ${sql.ref(name)} = (select coalesce(jsonb_agg(
        item || '{"created_on": "2020-01-01T00:00:00+00:00"}'), '[]') from jsonb_array_elements(${sql.ref(name)}) item)
      where environment_id = ${app.environment.id} and id = ${id}`.execute(app.context.db)
}
const then = '2020-01-01T00:00:00+00:00'

test('what is sent under its id, or says the same, keeps id and created_on', async () => {
  const app = await startApp()
  const { id } = made(
    await app.post('/persons', {
      emails: ['one@example.org', 'two@example.org'],
      phones: ['1', '2'],
      addresses: [{ city: 'Haven' }],
      terms: [{ id: 'a', source: 'x' }],
      accounts: [
        { provider: 'search', id: '7' },
        { provider: 'stream', id: '7' },
      ],
    }),
  )
  await age(app, id)
  const before = (await app.get(`/persons/${id}${fields}`)).body
  const [one, two] = before.emails.items
  const after = await put(app, id, {
    // Another order, one by value in another case, one by id with another value, one new.
    emails: [{ id: two.id, email: 'second@example.org' }, 'ONE@example.org', 'three@example.org'],
    phones: ['2', '3'],
    addresses: [{ city: 'Haven', country: 'NL', id: before.addresses.items[0].id }],
    terms: [{ id: 'a', source: 'y' }, { id: 'b' }],
    accounts: [{ provider: 'stream', id: '7' }],
  })
  const [changed, recased, added] = after.emails.items
  assert.deepEqual([changed.id, changed.created_on, changed.email], [two.id, then, 'second@example.org'])
  assert.notEqual(changed.changed_on, null)
  assert.deepEqual([recased.id, recased.created_on, recased.email], [one.id, then, 'ONE@example.org'])
  assert.ok(added.created_on > then && ![one.id, two.id].includes(added.id))
  assert.deepEqual(after.phones.items[0], before.phones.items[1])
  assert.equal(after.phones.total, 2)
  assert.deepEqual(after.addresses.items[0].created_on, then)
  const terms = after.terms.items.map((term: Loose) => [term.id, term.source, term.created_on === then])
  assert.deepEqual(terms, [
    ['a', 'y', true],
    ['b', null, false],
  ])
  assert.deepEqual(after.accounts.items, [before.accounts.items[1]])
})

test('ids that belong to nobody, or to another person, are not taken over', async () => {
  const app = await startApp()
  const first = await app.post(`/persons${fields}`, { emails: [{ id: 'mine', email: 'a@example.org' }] })
  const [email] = first.body.emails.items
  assert.notEqual(email.id, 'mine')
  const second = await app.post(`/persons${fields}`, { emails: [{ id: email.id, email: 'b@example.org' }] })
  assert.notEqual(second.body.emails.items[0].id, email.id)
})

test('what is said twice counts once, and what says nothing is left out', async () => {
  const app = await startApp()
  const tag = await addTag(app, { body: 'Night' })
  const { body } = await app.post(`/persons${fields}`, {
    emails: ['a@example.org', 'A@example.org', { email: 'a@example.org' }],
    phones: ['1', '1'],
    addresses: [{}, { city: ' ' }, 'Quay 1', { street: 'Quay 1' }],
    terms: [{ id: 'a' }, { id: 'a', source: 'late' }],
    accounts: [
      { provider: 'search', id: '7' },
      { provider: 'search', id: '7' },
    ],
    tags: [{ id: tag.id }, { body: 'NIGHT' }, { id: tag.id }],
    bank_accounts: ['NL91 ABNA 0417 1643 00', 'nl91abna0417164300'],
  })
  for (const name of ['emails', 'phones', 'addresses', 'terms', 'accounts', 'tags', 'bank_accounts'])
    assert.equal(body[name].total, 1, name)
  assert.equal(body.emails.items[0].email, 'a@example.org')
})

test('an address that takes the place of a verified one has still to be verified', async () => {
  const app = await startApp()
  const sent = { emails: [{ email: 'old@example.org', verified: true }] }
  const created = await app.post(`/persons${fields}`, sent)
  const { id, emails } = created.body
  const [email] = emails.items
  const moved = await put(app, id, { emails: [{ ...email, email: 'new@example.org' }] })
  assert.deepEqual([moved.emails.items[0].id, moved.emails.items[0].verified], [email.id, false])
  const proven = await put(app, id, { emails: [{ ...moved.emails.items[0], verified: true }] })
  assert.equal(proven.emails.items[0].verified, true)
  assert.equal((await put(app, id, { emails: ['NEW@example.org'] })).emails.items[0].verified, true)
})

test('what persons are found by follows what they are', async () => {
  const app = await startApp()
  const rows = async (table: string, column: string) => {
    const { rows } = await sql<{ value: string }>`select ${sql.ref(column)} as value from ${sql.table(table)}
      where environment_id = ${app.environment.id} order by 1`.execute(app.context.db)
    return rows.map(({ value }) => value)
  }
  const [one, two] = [await addTag(app), await addTag(app)]
  const { id } = made(
    await app.post('/v5/persons', {
      email: ['Robin@Example.org', 'x@example.org'],
      terms: [{ id: 'a' }, { id: 'b' }],
      accounts: [{ provider: 'stream', id: '7' }],
      tags: [{ id: one.id }],
    }),
  )
  assert.deepEqual(await rows('person_emails', 'email'), ['robin@example.org', 'x@example.org'])
  assert.deepEqual(await rows('person_terms', 'term_id'), ['a', 'b'])
  assert.deepEqual(await rows('person_accounts', 'account_id'), ['7'])
  await put(app, id, {
    emails: ['y@example.org'],
    terms: [{ id: 'b' }],
    accounts: [],
    tags: [{ id: two.id }],
  })
  assert.deepEqual(await rows('person_emails', 'email'), ['y@example.org'])
  assert.deepEqual(await rows('person_terms', 'term_id'), ['b'])
  assert.deepEqual(await rows('person_accounts', 'account_id'), [])
  assert.deepEqual(await rows('person_tags', 'tag_id'), [two.id])
  assert.deepEqual(await rows('person_facts', 'has_password'), [false])
})
