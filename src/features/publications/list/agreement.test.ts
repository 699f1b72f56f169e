import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { addUser } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { actorIn, addChannel, addContainer, addModel, addTag } from '../../../../test/harness/factories.ts'
import { transaction } from '../../../database/transaction.ts'
import { createPublication } from '../commands/commands.ts'
import type { Snapshot } from '../snapshot.ts'
import { lockPublication, snapshotOf } from '../store/load.ts'
import { compilePublicationFilter } from './compile.ts'
import { learnWords } from './learn.ts'

const locales = ['en-US', 'nl-NL']
const words = [
  'music',
  'Musical',
  'running',
  'run',
  'lopen',
  'loopt',
  'Zürich',
  '東京都',
  '京',
  'festival',
  '2026',
]
const moments = ['2020-01-01T00:00:00Z', '2026-01-01T12:30:00Z', '2035-06-01T00:00:00Z']
const numbers = [-3, 0, 1.5, 7]
const places = [
  { latitude: 52.37, longitude: 4.89 },
  { latitude: 52.38, longitude: 4.9 },
  { latitude: -33.9, longitude: 151.2 },
]

const fields = [
  { api_id: 'title', label: 'Text', filterable: true },
  { api_id: 'body', label: 'Text' },
  { api_id: 'price', label: 'Float', filterable: true, localized: false },
  { api_id: 'when', label: 'DateTime', filterable: true },
  { api_id: 'open', label: 'Boolean', filterable: true },
  { api_id: 'place', label: 'Coordinates', filterable: true },
  { api_id: 'tags', label: 'TagBox' },
]

type World = Awaited<ReturnType<typeof makeWorld>>

const makeWorld = async (app: TestApp) => {
  const each = <T>(make: () => Promise<T>) => Promise.all([make(), make(), make()])
  const models = [await addModel(app, { fields }), await addModel(app, { fields })]
  const [channels, containers, tags, users] = await Promise.all([
    each(() => addChannel(app)),
    each(() => addContainer(app)),
    each(() => addTag(app)),
    each(() => addUser(app)),
  ])
  return { models, channels, containers, tags, users }
}

const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((list) => list.join(' '))
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const ids = (list: { id: string }[]) => fc.subarray(list).map((found) => found.map(({ id }) => ({ id })))

const localeContent = (world: World) =>
  fc.record(
    {
      title: text.map((body) => ({ label: 'Text', body, format: 'H1' })),
      body: text.map((body) => ({ label: 'Text', body: `<p>${body}</p>`, format: null })),
      price: fc.constantFrom(...numbers).map((value) => ({ value })),
      when: fc.constantFrom(...moments).map((body) => ({ label: 'DateTime', body, format: 'c' })),
      open: fc.boolean().map((value) => ({ value })),
      place: fc.constantFrom(...places),
      tags: ids(world.tags).map((items) => ({ items })),
    },
    { requiredKeys: ['title'] },
  )

const perLocale = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.record({ 'en-US': arbitrary, 'nl-NL': arbitrary }, { requiredKeys: [] })

const publication = (world: World) =>
  fc.record(
    {
      items: perLocale(localeContent(world)).filter((items) => Object.keys(items).length > 0),
      model: fc.constantFrom(...world.models).map(({ id }) => ({ id })),
      status: perLocale(fc.constantFrom('To do', 'Done').map((body) => ({ body }))),
      publish_on: perLocale(fc.constantFrom(...moments)),
      expire_on: perLocale(fc.constantFrom(...moments)),
      assigned_to: perLocale(fc.constantFrom(...world.users).map(({ id }) => ({ id }))),
      channels: ids(world.channels),
      containers: ids(world.containers),
    },
    { requiredKeys: ['items', 'model'] },
  )

const addPublications = async (app: TestApp, world: World): Promise<Snapshot[]> => {
  const bodies = fc.sample(publication(world), { numRuns: 60, seed: 7 })
  const actor = { ...actorIn(app), user_id: world.users[0]!.id }
  const snapshots: Snapshot[] = []
  for (const body of bodies) {
    const own = Object.keys(body.items)
    // It is stored once.
    for (const locale of own.slice(1))
      delete (body.items as Record<string, { price?: object }>)[locale]!.price
    const sent = Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        ['items', 'model', 'channels', 'containers'].includes(name)
          ? value
          : Object.fromEntries(Object.entries(value).filter(([locale]) => own.includes(locale))),
      ]),
    )
    const row = await transaction(app.context, (tx) =>
      createPublication(app.context, tx, actor, { label: 'Publication', locales: own, ...sent }),
    )
    const stored = await transaction(app.context, (tx) => lockPublication(tx, app.environment.id, row.id))
    snapshots.push(snapshotOf(stored.publication, stored.row.facets, stored.facets, stored.words))
  }
  return snapshots
}

const date = fc.record(
  {
    eq: maybe(fc.constantFrom(...moments)),
    lt: maybe(fc.constantFrom(...moments)),
    gt: maybe(fc.constantFrom(...moments)),
  },
  { noNullPrototype: true },
)

const filters = (world: World, snapshots: Snapshot[]) => {
  const idOf = (list: { id: string }[]) => fc.constantFrom(...list.map(({ id }) => id), 'nothing')
  const oneOrMany = (one: fc.Arbitrary<string>) =>
    fc.oneof(
      one.map((eq) => ({ eq })),
      fc.array(one, { minLength: 1, maxLength: 3 }).map((list) => ({ in: list })),
    )
  const byName = (list: { id: string; slug: string; body?: string; name?: string }[]) =>
    fc.oneof(
      oneOrMany(idOf(list)),
      oneOrMany(fc.constantFrom(...list.map(({ slug }) => slug), 'none')).map((filter) => ({
        ...filter,
        param: 'Slug',
      })),
      oneOrMany(fc.constantFrom(...list.map(({ body, name }) => (body ?? name!).toUpperCase()), 'none')).map(
        (filter) => ({ ...filter, param: 'body' }),
      ),
    )
  const slugs = snapshots.flatMap(({ locales: own }) => Object.values(own).map(({ slug }) => slug))
  const search = fc.oneof(
    text,
    fc.constantFrom('musci', 'musi', 'festivla', 'zurich', '東', 'Lopend', 'nothingness'),
  )
  const number = fc.constantFrom(...numbers)
  const item = fc.oneof(
    fc.tuple(fc.constant('price'), fc.constantFrom('eq', 'neq', 'lt', 'lte', 'gt', 'gte'), number),
    fc.tuple(fc.constant('price'), fc.constant('in'), fc.array(number, { minLength: 1, maxLength: 2 })),
    fc.tuple(fc.constantFrom('price', 'title', 'when', 'open', 'place'), fc.constant('has'), fc.boolean()),
    fc.tuple(
      fc.constant('when'),
      fc.constantFrom('eq', 'neq', 'lt', 'lte', 'gt', 'gte'),
      fc.constantFrom('2026-01-01', ...moments),
    ),
    fc.tuple(fc.constant('open'), fc.constantFrom('eq', 'neq'), fc.boolean()),
    fc.tuple(fc.constant('title'), fc.constantFrom('eq', 'neq', 'sw'), text),
    fc.tuple(
      fc.constant('place'),
      fc.constant('near'),
      fc.constantFrom('52.37,4.89,10', '52.37,4.89,1500', '0,0,20000000'),
    ),
  )
  const items = fc.tuple(fc.constantFrom(...locales), item).map(([locale, [api_id, operator, value]]) => ({
    model: { id: world.models[0]!.id },
    [`items.${locale}.${api_id}`]: { [operator]: value },
  }))
  const single = fc.record(
    {
      model: oneOrMany(idOf(world.models)),
      status: oneOrMany(fc.constantFrom('done', 'To do', 'nothing')),
      locales: oneOrMany(fc.constantFrom(...locales, 'xx')),
      created_by: oneOrMany(idOf(world.users)),
      assigned_to: oneOrMany(idOf(world.users)),
      channels: byName(world.channels),
      containers: byName(world.containers),
      tags: fc.oneof(
        byName(world.tags),
        fc.boolean().map((has) => ({ has })),
        fc.subarray(world.tags, { minLength: 1 }).map((list) => ({ all: list.map(({ id }) => id) })),
      ),
      slug: fc.constantFrom({ eq: slugs[0] }, { sw: slugs[1]!.slice(0, 3) }, { sw: 'r' }, { eq: 'nothing' }),
      q: search,
      title: search,
      publish_on: date,
      expire_on: date,
      created_on: date,
      changed_on: date,
      published: fc.boolean().map((eq) => ({ eq })),
      id: oneOrMany(fc.constantFrom(...snapshots.map(({ id }) => id))),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  const few = fc
    .tuple(single, fc.integer({ min: 1, max: 3 }), fc.infiniteStream(fc.nat()))
    .map(([all, count, order]) => {
      const names = Object.keys(all).map((name) => ({ name, at: order.next().value }))
      const chosen = names.sort((a, b) => a.at - b.at).slice(0, count)
      return Object.fromEntries(chosen.map(({ name }) => [name, (all as Record<string, unknown>)[name]]))
    })
  const plain = fc.oneof({ weight: 3, arbitrary: few }, { weight: 1, arbitrary: items })
  return fc.tuple(plain, fc.array(plain, { maxLength: 2 })).map(([own, or]) => {
    const alternatives = or.map(withoutEmpty).filter((one) => Object.keys(one).length > 0)
    return { ...withoutEmpty(own), ...(alternatives.length > 0 && { or: alternatives }) }
  })
}

/** Date filters may have come out without an operator. */
const withoutEmpty = (filter: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(filter)
      .map(([name, value]): [string, unknown] => [
        name,
        typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined))
          : value,
      ])
      .filter(([, value]) => typeof value !== 'object' || Object.keys(value as object).length > 0),
  )

/** Slugs are asked for with a locale only. */
const withoutSlug = ({ slug: _slug, or, ...input }: Record<string, unknown>): Record<string, unknown> => {
  const alternatives = (or as Record<string, unknown>[] | undefined)
    ?.map(withoutSlug)
    .filter((one) => Object.keys(one).length > 0)
  return alternatives?.length ? { ...input, or: alternatives } : input
}

test('the database and the memory agree about every filter, whatever the locale and who looks', async () => {
  const app = await startApp()
  const world = await makeWorld(app)
  const snapshots = await addPublications(app, world)
  await learnWords(app.context, app.environment.id, words)
  const { db } = app.context
  let found = 0
  let some = 0
  await fc.assert(
    fc.asyncProperty(
      filters(world, snapshots),
      fc.constantFrom(undefined, ...locales),
      fc.constantFrom('all' as const, 'published' as const),
      fc.boolean(),
      async (input, locale, visibility, quickly) => {
        const filter = await compilePublicationFilter(
          app.context,
          { environment: app.environment, visibility, locale },
          locale === undefined ? withoutSlug(input) : input,
        )
        const here = filter.conditionsIn('row', quickly)
        const { rows } = await sql<{ id: string }>`select id from publications as row
          where row.environment_id = ${app.environment.id} ${here.length > 0 ? sql`and ${sql.join(here, sql` and `)}` : sql``}
          ${locale ? sql`and ${locale} = any(row.locales)` : sql``} order by id`.execute(db)
        const expected = snapshots.filter(filter.matches).map(({ id }) => id)
        assert.deepEqual(
          rows.map(({ id }) => id),
          expected.sort(),
        )
        found += rows.length
        if (rows.length > 0 && rows.length < snapshots.length) some += 1
        if (!locale) return
        const there = filter.conditionsIn('local', quickly)
        const { rows: local } = await sql<{ id: string }>`select id from publication_locales as local
          where local.environment_id = ${app.environment.id} and local.locale = ${locale}
            ${there.length > 0 ? sql`and ${sql.join(there, sql` and `)}` : sql``} order by id`.execute(db)
        assert.deepEqual(
          local.map(({ id }) => id),
          expected,
        )
      },
    ),
    { numRuns: 600, interruptAfterTimeLimit: 30_000, markInterruptAsFailure: false },
  )
  assert.ok(some > 100, `of all filters only ${some} told publications apart, ${found} were found`)
})
