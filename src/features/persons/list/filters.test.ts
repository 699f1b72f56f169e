import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { casesFor, query } from '../../../../test/harness/audience/cases.ts'
import { dates, makingUp, now, type Tag } from '../../../../test/harness/audience/made-up.ts'
import { type Asked, holds } from '../../../../test/harness/audience/oracle.ts'
import { addKnown, type Known } from '../../../../test/harness/audience/people.ts'
import { addTag } from '../../../../test/harness/factories.ts'
import { inTurns } from '../../../database/turns.ts'
import { personCondition } from './conditions.ts'
import { personFilters } from './fields.ts'
import { readPersonFilter } from './read.ts'

let app: TestApp
let people: Known[]
let tags: Tag[]
let foreignTag: Tag

before(async () => {
  app = await startApp()
  const foreign = await app.addEnvironment()
  tags = await Promise.all(['Jazz', 'Big news', 'Überraschung'].map((body) => addTag(app, { body })))
  foreignTag = await addTag(app, { body: 'Jazz', environment: foreign })
  const made = makingUp(7)
  const ownTags = tags.map(({ id }) => id)
  people = await Promise.all(
    Array.from({ length: 60 }, (_, n) => addKnown(app, app.environment, made(`p${n}`, ownTags))),
  )
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => addKnown(app, foreign, made(`p${n}`, [foreignTag.id]))),
  )
})

const cases = (): Asked[] => [...casesFor(tags), { name: 'tags', operator: 'eq', value: foreignTag.id }]

const idsBy = async (text: string): Promise<string[]> => {
  const { status, body } = await app.get(`/persons?limit=500&${text}`)
  assert.equal(status, 200, JSON.stringify(body))
  if (!text.includes('total=false')) assert.equal(body.total, body.items.length)
  return body.items.map(({ id }: { id: string }) => id).sort()
}

const wanted = (fits: (person: Known) => boolean): string[] =>
  people
    .filter(fits)
    .map(({ id }) => id)
    .sort()

test('every operator of every filter finds whom it should, and nobody else', async () => {
  const telling = new Set<string>()
  const check = async (asked: Asked) => {
    const expected = wanted((person) => holds(tags, person, asked))
    assert.deepEqual(await idsBy(query(asked)), expected, query(asked))
    if (expected.length > 0 && expected.length < people.length) telling.add(`${asked.name} ${asked.operator}`)
  }
  const turn = inTurns(6)
  await Promise.all(cases().map((asked) => turn(() => check(asked))))
  const all = Object.entries(personFilters).flatMap(([name, { operators }]) =>
    operators.map((one) => `${name} ${one}`),
  )
  assert.deepEqual(
    all.filter((one) => !telling.has(one)),
    [],
    'each must have told some from others',
  )
})

const homes = {
  row: sql`persons as row where row.environment_id`,
  facts: sql`person_facts as facts where facts.environment_id`,
  link: sql`person_facts as link where link.environment_id`,
} as const

test('a filter says the same of the facts, and of any table that names persons', async () => {
  const { db } = app.context
  const { rows } = await sql<{
    key: string
    id: string
  }>`select key, id from persons where environment_id = ${app.environment.id}`.execute(db)
  const ids = new Map(rows.map(({ key, id }) => [key, id]))
  for (const asked of cases()) {
    const filter = readPersonFilter({ [asked.name]: [{ [asked.operator]: asked.value, ...asked.more }] }, [])
    const expected = wanted((person) => holds(tags, person, asked))
    for (const home of ['row', 'facts', 'link'] as const) {
      const condition = personCondition({ environment: app.environment, now: new Date(now) }, filter, home)
      const key = sql.ref(home === 'row' ? 'row.key' : `${home}.person_key`)
      const found = await sql<{
        key: string
      }>`select ${key} as key from ${homes[home]} = ${app.environment.id} and ${condition}`.execute(db)
      assert.deepEqual(found.rows.map(({ key }) => ids.get(key)).sort(), expected, `${home} ${query(asked)}`)
    }
  }
})

test('filters are joined by and, alternatives by or, however they are put together', async () => {
  const all = cases().filter(({ operator }) => operator !== 'il')
  const anyCase = fc.constantFrom(...all)
  const groups = fc.array(fc.array(anyCase, { minLength: 1, maxLength: 2 }), { maxLength: 3 })
  const unique = (list: Asked[]) =>
    list.filter(({ name }, index) => list.findIndex((one) => one.name === name) === index)
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyCase, { maxLength: 2 }).map(unique),
      groups.map((list) => list.map(unique)),
      async (tests, alternatives) => {
        const text = [
          ...tests.map((one) => query(one)),
          ...alternatives.flatMap((list, index) => list.map((one) => query(one, `or[${index}]`))),
        ].join('&')
        const fits = (person: Known) =>
          tests.every((one) => holds(tags, person, one)) &&
          (alternatives.length === 0 ||
            alternatives.some((list) => list.every((one) => holds(tags, person, one))))
        assert.deepEqual(await idsBy(text), wanted(fits), text)
        // Without a total nobody knows that they are few, and the next ones are looked at one by one.
        assert.deepEqual(await idsBy(`${text}&total=false`), wanted(fits), text)
      },
    ),
    { numRuns: 80, seed: 11 },
  )
})

test('several objects of one field must all hold', async () => {
  const text =
    'created_on[0][gte]=2025-06-01&created_on[1][lt]=2025-06-02&tags[0][has]=true&tags[1][has]=true'
  const fits = ({ created_on, tags }: Known) =>
    created_on >= dates[1]! && created_on < dates[3]! && tags.length > 0
  assert.deepEqual(await idsBy(text), wanted(fits))
})

test('what is no filter, operator, type or value of the list is refused, each by its name', async () => {
  const bad: Record<string, string> = {
    'gender[eq]=unknown': 'gender.eq',
    'gender[sw]=m': 'gender.sw',
    'age[eq]=thirty': 'age.eq',
    'age[eq]=30.5': 'age.eq',
    'age[neq]=30': 'age.neq',
    'created_on[il]=week': 'created_on.il',
    'created_on[il]=-1': 'created_on.il',
    'changed_on[il]=60': 'changed_on.il',
    'last_seen[eq]=2025-02-30': 'last_seen.eq',
    'liked[neq]=news': 'liked.neq',
    'interactions[0][eq]=news&interactions[0][type]=Pondered': 'interactions.0.type',
    'viewed[0][eq]=news&viewed[0][type]=Viewed': 'viewed.0.type',
    'stream_accounts[in]=7': 'stream_accounts.in',
    'password[eq]=hash': 'password.eq',
    'password[has]=maybe': 'password.has',
    'tags[0][eq]=x&tags[0][param]=colour': 'tags.0.param',
    'bank_accounts[has]=true': 'bank_accounts',
    'password_hash[has]=true': 'password_hash',
    'totp_secret[has]=true': 'totp_secret',
    'session_hash[has]=true': 'session_hash',
    'or[0][password][eq]=x': 'or.0.password.eq',
    'q=': 'q.fz',
    'q=...': 'q.fz',
    'sort=password_hash': 'sort',
    'sort=email': 'sort',
    'limit=501': 'limit',
  }
  for (const [text, path] of Object.entries(bad)) {
    const { status, body } = await app.get(`/persons?${text}`)
    assert.equal(status, 400, text)
    assert.deepEqual(
      body.errors.map((error: { path: string }) => error.path),
      [path],
      text,
    )
  }
  const { body } = await app.get(
    `/v5/persons?${Object.keys(bad)
      .filter((text) => /^(age\[n|gen|sort=e)/.test(text))
      .join('&')}`,
  )
  assert.deepEqual(body.errors.map((error: { path: string }) => error.path).sort(), [
    'age.neq',
    'gender.eq',
    'gender.sw',
    'sort',
  ])
})
