import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { addPerson, addTag } from '../../../test/harness/factories.ts'
import { faults } from '../../../test/harness/records/kind.ts'
import { addSegment, membersOf } from '../../../test/harness/segments.ts'

const men = { gender: [{ eq: 'male' }] }
const women = { gender: { eq: 'female' } }

test('groups combine by all and any, at any depth, and a list of items counts as one by its indexes', async () => {
  const app = await startApp()
  const tag = await addTag(app)
  const born = (gender: 'male' | 'female' | 'other', date_of_birth: string, tags: string[] = []) =>
    addPerson(app, { gender, date_of_birth, tags })
  const boy = await born('male', '2020-01-01')
  const man = await born('male', '1980-01-01', [tag.id])
  const girl = await born('female', '2020-01-01', [tag.id])
  const woman = await born('female', '1980-01-01')
  const other = await addPerson(app)
  const old = { age: { gte: 18 } }
  const tagged = { tags: { in: [tag.id] } }
  const cases: [object, { id: string }[]][] = [
    [{}, [boy, man, girl, woman, other]],
    [{ match: 'any', items: {} }, []],
    [{ items: { men, old } }, [man]],
    [{ match: 'any', items: { men, old } }, [boy, man, woman]],
    [{ items: [men, old] }, [man]],
    [{ items: { one: { ...men, ...old } } }, [man]],
    [{ match: 'any', items: { a: { items: { men, old } }, b: { items: { women, tagged } } } }, [man, girl]],
    [
      { items: { tagged, group: { match: 'any', items: { men, deeper: { items: { women, old } } } } } },
      [man],
    ],
    [{ items: { either: { or: [men, { age: { lt: 18 } }] } } }, [boy, man, girl]],
    [{ items: { men, women } }, []],
  ]
  for (const [rules, expected] of cases) {
    const id = await addSegment(app, rules as never)
    const text = JSON.stringify(rules)
    assert.deepEqual(
      await membersOf(app, id),
      expected.map((person) => person.id),
      text,
    )
    assert.equal((await app.get(`/segments/${id}`)).body.total, expected.length, text)
    const preview = await app.post('/segments/preview', { rules, exact: true })
    assert.deepEqual(preview.body, { total: expected.length, exact: true, margin: 0 }, text)
  }
})

test('everything that is wrong with rules is named by its path, together with the rest of the body', async () => {
  const app = await startApp()
  const rules = {
    match: 'some',
    other: 1,
    items: {
      a: { gender: { eq: 'robot' }, shoe_size: { eq: 4 } },
      b: { age: [{ gte: 'old' }, { near: 3 }] },
      c: 7,
      d: {},
      e: { match: 'any', items: {} },
      f: {
        items: {
          g: { q: 'ann' },
          h: { last_seen: { il: -1 } },
          i: { interactions: { type: 'Danced', has: true } },
        },
      },
      j: { match: 'none', items: [{ tags: { eq: 'x', param: 'colour' } }] },
      ['k'.repeat(101)]: men,
      l: { password: { eq: 'secret' } },
      m: { created_on: { il: 99_999_999_999 } },
    },
  }
  const paths = [
    'rules.items.a.gender.eq',
    'rules.items.a.shoe_size',
    'rules.items.b.age.0.gte',
    'rules.items.b.age.1.near',
    'rules.items.c',
    'rules.items.d',
    'rules.items.e.items',
    'rules.items.f.items.g.q',
    'rules.items.f.items.h.last_seen.il',
    'rules.items.f.items.i.interactions.type',
    'rules.items.j.items.0.tags.param',
    'rules.items.j.match',
    `rules.items.${'k'.repeat(101)}`,
    'rules.items.l.password.eq',
    'rules.items.m.created_on.il',
    'rules.match',
    'rules.other',
  ]
  assert.deepEqual(faults(await app.post('/segments', { body: 'x', rules })), paths)
  assert.deepEqual(faults(await app.post('/segments/preview', { rules })), paths)
  assert.deepEqual(faults(await app.post('/segments', { rules, colour: 1 })), ['body', 'colour', ...paths])
  for (const wrong of [[], 7, 'all', null, true])
    assert.deepEqual(faults(await app.post('/segments', { body: 'x', rules: wrong })), ['rules'])
  for (const wrong of [7, 'all', null])
    assert.deepEqual(faults(await app.post('/segments', { body: 'x', rules: { items: wrong } })), [
      'rules.items',
    ])
  assert.equal((await app.get('/segments')).body.total, 0)
})

const nested = (depth: number): object => ({ items: { in: depth === 1 ? men : nested(depth - 1) } })
const many = (count: number, rule: object) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`r${n}`, rule]))

test('depth, number, length and what they ask for in all are bounded', async () => {
  const app = await startApp()
  const wrong = async (rules: object) => faults(await app.post('/segments/preview', { rules }))
  const right = async (rules: object) =>
    assert.equal((await app.post('/segments/preview', { rules })).status, 200)
  await right(nested(5))
  assert.deepEqual(await wrong(nested(6)), ['rules.items.in.items.in.items.in.items.in.items.in'])
  await right({ items: many(100, men) })
  assert.deepEqual(await wrong({ items: many(500, men) }), ['rules.items.r100'])
  const three = { gender: [{ eq: 'male' }, { neq: 'female' }, { in: ['male'] }] }
  await right({ items: many(66, three) })
  assert.deepEqual(await wrong({ items: many(90, three) }), ['rules.items.r66'])
  const thousand = { tags: { all: Array.from({ length: 1000 }, () => '1').join() } }
  await right({ items: many(2, thousand) })
  assert.deepEqual(await wrong({ items: many(30, thousand) }), ['rules.items.r2'])
  const ids = Array.from({ length: 1000 }, () => 'x'.repeat(100))
  assert.deepEqual(await wrong({ items: { a: { id: { in: ids } } } }), ['rules'])
  for (const name of ['__proto__', 'constructor']) {
    const raw = `{"body": "x", "rules": {"items": {"${name}": {"gender": {"eq": "male"}}}}}`
    const refused = await app.call('POST', '/segments', {
      raw,
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(refused.status, 400)
  }
})

test('all of many tags are asked for by each of their names, however often they are repeated', async () => {
  const app = await startApp()
  const tags = await Promise.all(['Jazz', 'Swing', 'Blues'].map((body) => addTag(app, { body })))
  const [jazz, swing] = tags.map(({ id }) => id) as [string, string]
  const both = await addPerson(app, { tags: [jazz, swing] })
  const every = await addPerson(app, { tags: tags.map(({ id }) => id) })
  await addPerson(app, { tags: [jazz] })
  await addPerson(app)
  const found = [both.id, every.id]
  const cases: [object, string[]][] = [
    [{ all: [jazz, swing, jazz] }, found],
    [{ all: tags.map(({ id }) => id) }, [every.id]],
    [{ all: [jazz, 'absent'] }, []],
    [{ all: ['JAZZ', 'swing', 'jazz'], param: 'body' }, found],
    [{ all: tags.slice(0, 2).map(({ slug }) => slug), param: 'slug' }, found],
    [{ all: Array.from({ length: 1000 }, (_, n) => `${n}`) }, []],
  ]
  for (const [asked, expected] of cases) {
    const rules = { items: { rule: { tags: asked } } }
    assert.deepEqual(await membersOf(app, await addSegment(app, rules)), expected, JSON.stringify(asked))
    for (const exact of [true, false])
      assert.equal((await app.post('/segments/preview', { rules, exact })).body.total, expected.length)
    const query = Object.entries(asked).map(([name, value]) => `tags[0][${name}]=${value}`)
    const { body } = await app.get(`/persons?${query.join('&')}`)
    assert.deepEqual([body.total, body.items.length], [expected.length, expected.length])
  }
})

test('rules that name what belongs to another environment find nobody', async () => {
  const app = await startApp()
  const elsewhere = await app.addEnvironment()
  const tag = await addTag(app, { environment: elsewhere, slug: 'theirs' })
  const theirs = await addPerson(app, { environment: elsewhere, tags: [tag.id] })
  await addPerson(app)
  for (const rule of [
    { tags: { eq: tag.id } },
    { tags: { eq: 'theirs', param: 'slug' } },
    { id: { eq: theirs.id } },
  ])
    assert.deepEqual(await membersOf(app, await addSegment(app, { items: { rule } })), [])
})
