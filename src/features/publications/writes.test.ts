import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addUser } from '../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addChannel, addContainer, addModel, addTag } from '../../../test/harness/factories.ts'
import {
  inTurns,
  type Loose,
  readPublication,
  storedVersions,
  text,
} from '../../../test/harness/publications.ts'
import { eventsOf, made } from '../../../test/harness/records/kind.ts'

const locales = ['en-US', 'nl-NL']
const statuses = ['To do', 'Review', 'Done']
const moments = [null, '2020-01-01T00:00:00+00:00', '2090-01-01T00:00:00+00:00']
const every = 'items,title,model,assigned_to,published,channels,containers'

const fields = [
  { api_id: 'title', label: 'Text' },
  { api_id: 'price', label: 'Integer', filterable: true },
  { api_id: 'stock', label: 'Integer', filterable: true, localized: false },
  { api_id: 'tags', label: 'TagBox' },
]

type World = Awaited<ReturnType<typeof makeWorld>>

const makeWorld = async (app: TestApp) => ({
  models: [
    null,
    await addModel(app, { fields: fields as never }),
    await addModel(app, { fields: fields as never }),
  ],
  channels: [await addChannel(app), await addChannel(app)],
  containers: [await addContainer(app)],
  tags: [await addTag(app), await addTag(app)],
  users: [await addUser(app), await addUser(app)],
})

const ids = (rows: { id: string }[]) => fc.subarray(rows.map(({ id }) => ({ id })))

/** Any body that a PUT may send; whatever it leaves out stays. */
const changeOf = ({ models, channels, containers, tags, users }: World) => {
  const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
  const perLocale = <T>(value: fc.Arbitrary<T>) =>
    fc.dictionary(fc.constantFrom(...locales), value, { minKeys: 1, noNullPrototype: true })
  const number = fc.option(fc.integer({ min: 0, max: 3 }).map((value) => ({ value })))
  const content = fc.record(
    {
      title: fc.option(oneOf('red', 'green', 'blue').map((word) => text(word))),
      price: number,
      stock: oneOf<{ value: number } | null>(null, { value: 1 }),
      tags: fc.option(ids(tags).map((items) => ({ label: 'TagBox', items }))),
    },
    { requiredKeys: [] },
  )
  return fc.record(
    {
      model: oneOf(...models.map((model) => model && { id: model.id })),
      items: perLocale(fc.option(content, { freq: 8 })),
      status: perLocale(oneOf(...statuses).map((body) => ({ body }))),
      publish_on: perLocale(oneOf(...moments)),
      expire_on: perLocale(oneOf(...moments)),
      assigned_to: perLocale(fc.option(oneOf(...users).map(({ id }) => ({ id })))),
      channels: ids(channels),
      containers: ids(containers),
    },
    { requiredKeys: [] },
  )
}

type Body = Loose

/** What each query must find, told by what the bodies show. */
const expectations = (world: World, bodies: Body[]): [string, string[]][] => {
  const where = (test: (body: Body) => boolean) => bodies.filter(test).map(({ id }) => id)
  const tagsIn = (body: Body, locale: string): string[] =>
    Object.values(body.items[locale]?.tags?.items ?? {}).map((tag) => (tag as { id: string }).id)
  const some = (test: (body: Body, locale: string) => boolean) =>
    where((body) => body.locales.some((locale: string) => test(body, locale)))
  const here = (locale: string, test: (body: Body) => boolean) =>
    where((body) => body.locales.includes(locale) && test(body))
  const [model] = world.models.filter((one) => one !== null)
  const [tag, user, channel, container] = [
    world.tags[0]!.id,
    world.users[0]!.id,
    world.channels[0]!.id,
    world.containers[0]!.id,
  ]
  return [
    ['', where(() => true)],
    [`model[eq]=${model!.id}`, where((body) => body.model?.id === model!.id)],
    [`channels[eq]=${channel}`, where((body) => body.channels.some(({ id }: Body) => id === channel))],
    [`containers[eq]=${container}`, where((body) => body.containers.length > 0)],
    ['status[eq]=Done', some((body, locale) => body.status[locale].body === 'Done')],
    ['published[eq]=true', some((body, locale) => body.published[locale])],
    [`tags[eq]=${tag}`, some((body, locale) => tagsIn(body, locale).includes(tag))],
    ['tags[has]=false', some((body, locale) => tagsIn(body, locale).length === 0)],
    [
      `tags[has]=true&status[eq]=Done`,
      some((body, locale) => tagsIn(body, locale).length > 0 && body.status[locale].body === 'Done'),
    ],
    [`assigned_to[eq]=${user}`, some((body, locale) => body.assigned_to[locale]?.id === user)],
    ['title=red', some((body, locale) => body.title[locale] === 'red')],
    ['q=green', some((body, locale) => body.items[locale].title?.body === 'green')],
    ['publish_on[lt]=2021-01-01', some((body, locale) => body.publish_on[locale] === moments[1])],
    ['expire_on[gt]=2021-01-01', some((body, locale) => body.expire_on[locale] === moments[2])],
    ...locales.flatMap((locale): [string, string[]][] => [
      [`locale=${locale}`, here(locale, () => true)],
      [`locale=${locale}&status[eq]=Done`, here(locale, (body) => body.status[locale].body === 'Done')],
      [`locale=${locale}&published[eq]=true`, here(locale, (body) => body.published[locale])],
      [`locale=${locale}&tags[eq]=${tag}`, here(locale, (body) => tagsIn(body, locale).includes(tag))],
      [`locale=${locale}&slug[sw]=red`, here(locale, (body) => body.slug[locale].startsWith('red'))],
      [
        `locale=${locale}&publish_on[gt]=2021-01-01`,
        here(locale, (body) => body.publish_on[locale] === moments[2]),
      ],
      [
        `model[eq]=${model!.id}&items.${locale}.price[gte]=2`,
        here(locale, (body) => body.model?.id === model!.id && body.items[locale].price?.value >= 2),
      ],
      [
        `model[eq]=${model!.id}&items.${locale}.stock[eq]=1`,
        here(locale, (body) => body.model?.id === model!.id && body.items[locale].stock?.value === 1),
      ],
    ]),
  ]
}

const holdTogether = async (app: TestApp, world: World, made: string[]) => {
  const bodies = await Promise.all(made.map((id) => readPublication(app, id, `fields=${every}`)))
  await inTurns(expectations(world, bodies), async ([query, expected]) => {
    const { status, body, text: raw } = await app.get(`/publications?limit=100&${query}`)
    assert.equal(status, 200, raw)
    assert.deepEqual(body.items.map(({ id }: Body) => id).toSorted(), expected.toSorted(), query)
    assert.equal(body.total, expected.length, `total of ${query}`)
  })
}

test('after any row of writes lists find what reads show, totals are right, and reading back changes nothing', async () => {
  const app = await startApp()
  const world = await makeWorld(app)
  const publications: string[] = []
  for (let index = 0; index < 6; index += 1)
    publications.push(made(await app.post('/publications', { label: 'Publication', locales: ['en-US'] })).id)
  const writes = fc.array(fc.tuple(fc.nat({ max: 5 }), changeOf(world)), { minLength: 4, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(writes, async (changes) => {
      const answers = await Promise.all(
        changes.map(([index, body]) => app.put(`/publications/${publications[index]}?fields=${every}`, body)),
      )
      for (const { status, text: raw } of answers)
        assert.ok(status === 200 || (status === 400 && /once/.test(raw)), raw)
      await holdTogether(app, world, publications)
    }),
    { numRuns: 8, endOnFailure: true },
  )
  for (const id of publications) {
    const before = await app.get(`/publications/${id}?fields=${every}`)
    const put = await app.put(`/publications/${id}?fields=${every}`, before.body)
    assert.deepEqual([put.status, put.headers.get('etag')], [200, before.headers.get('etag')], put.text)
    const versions = await storedVersions(app, id)
    const told = (await eventsOf(app, id)).filter((event) => /created|changed/.test(event))
    assert.equal(versions.length, told.length)
  }
  const gone = publications.splice(0, 3)
  await Promise.all(gone.map((id) => app.delete(`/publications/${id}`)))
  await holdTogether(app, world, publications)
})
