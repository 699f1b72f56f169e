import assert from 'node:assert/strict'
import { addUser } from './access.ts'
import { type Call, startApp } from './app.ts'
import { addChannel, addContainer, addModel, addTag } from './factories.ts'
import { addPublication, changePublication, inTurns, text } from './publications.ts'
import { absent } from './records/kind.ts'

const [en, nl] = ['en-US', 'nl-NL'] as const
const done = { body: 'Done' }

const fields = [
  { api_id: 'title', label: 'Text' },
  { api_id: 'body', label: 'Text' },
  { api_id: 'price', label: 'Float', filterable: true },
  { api_id: 'stock', label: 'Integer', filterable: true, localized: false },
  { api_id: 'day', label: 'DateTime', filterable: true },
  { api_id: 'span', label: 'DateTimeRange', filterable: true },
  { api_id: 'code', label: 'Text', filterable: true },
  { api_id: 'open', label: 'Boolean', filterable: true },
  { api_id: 'place', label: 'Coordinates', filterable: true },
  { api_id: 'tags', label: 'TagBox' },
  { api_id: 'secret', label: 'Text', filterable: false },
]

/** Five publications, A to E, that every filter tells apart; `names` says which letter an id is. */
export const startLibrary = async () => {
  const app = await startApp()
  const [one, two] = [await addUser(app), await addUser(app)]
  const { value: byTwo } = await app.addToken({ user_id: two.id })
  const models = {
    M: await addModel(app, { fields: fields as never }),
    N: await addModel(app, { fields: fields as never }),
  }
  const channels = [
    await addChannel(app, { name: 'Site One', slug: 'one' }),
    await addChannel(app, { name: 'App Two', slug: 'two' }),
  ] as const
  const container = await addContainer(app, { body: 'Story', slug: 'story' })
  const tags = [
    await addTag(app, { body: 'Red Tag' }),
    await addTag(app, { body: 'Green Tag' }),
    await addTag(app, { body: 'Blue Tag' }),
  ] as const
  const tagged = (...numbers: number[]) => ({
    label: 'TagBox',
    items: numbers.map((number) => ({ id: tags[number]!.id })),
  })
  const link = (...numbers: number[]) => numbers.map((number) => ({ id: channels[number]!.id }))
  const M = { id: models.M.id }
  const A = await addPublication(
    app,
    {
      [en]: {
        title: text('Running music'),
        price: { value: 1 },
        stock: { value: 10 },
        day: { body: '2026-01-10', format: 'Y-m-d' },
        span: { from: '2026-01-10 08:00:00', until: '2026-01-12 08:00:00', format: 'Y-m-d H:i:s' },
        code: text('AB-1', 'H1'),
        open: { value: true },
        place: { latitude: '52.3702', longitude: '4.8952' },
        tags: tagged(0, 1),
        secret: text('x'),
      },
    },
    {
      model: M,
      channels: link(0),
      containers: [{ id: container.id }],
      status: { [en]: done },
      publish_on: { [en]: '2026-01-01T12:00:00Z' },
      assigned_to: { [en]: { id: one.id } },
    },
  )
  const B = await addPublication(
    app,
    {
      [en]: {
        title: text('Festival in Zürich'),
        price: { value: 2 },
        day: { body: '2026-02-10', format: 'Y-m-d' },
        code: text('AB-2', 'H1'),
        open: { value: false },
        place: { latitude: '51.9244', longitude: '4.4777' },
        tags: tagged(0),
      },
      [nl]: { title: text('Hardlopen'), price: { value: 5 }, tags: tagged(1) },
    },
    {
      model: M,
      channels: link(0, 1),
      status: { [en]: done },
      publish_on: { [en]: '2026-02-01', [nl]: '2026-03-01' },
      expire_on: { [en]: '2098-01-01' },
      assigned_to: { [nl]: { id: one.id } },
    },
  )
  const C = await addPublication(
    app,
    { [nl]: { title: text('Muziek en wedstrijden'), tags: tagged(2) } },
    { status: { [nl]: done }, publish_on: { [nl]: '2026-04-01' }, expire_on: { [nl]: '2099-01-01' } },
  )
  const D = await addPublication(
    app,
    { [en]: { title: text('Quiet evening'), body: text('With musical chairs') } },
    { status: { [en]: { body: 'Review' } } },
    { token: byTwo },
  )
  const E = await addPublication(
    app,
    { [en]: { title: text('Runs'), price: { value: 9 } }, [nl]: { title: text('Loopt') } },
    { model: { id: models.N.id }, channels: link(1) },
  )
  for (const { id } of [B, D])
    await changePublication(app, id, { expire_on: { [en]: id === B.id ? '2098-01-02' : '2097-01-01' } })
  const all = { A, B, C, D, E }
  const dates = { A: [1, null], B: [2, 5], C: [3, null], D: [4, 4], E: [4, null] } as const
  for (const [letter, [created, changed]] of Object.entries(dates)) {
    const { id } = all[letter as keyof typeof all]
    await app.sql`update publications set created_on = ${`2025-01-0${created}T10:00:00Z`},
      changed_on = ${changed && `2025-02-0${changed}T10:00:00Z`} where id = ${id}`
  }
  const names = new Map(Object.entries(all).map(([letter, { id }]) => [id, letter]))
  return { app, all, names, models, channels, container, tags, users: [one, two] as const }
}

export type Library = Awaited<ReturnType<typeof startLibrary>>

/** Letters of what a query finds, in its order, after a look at the total. */
export const found = async (library: Library, query: string, call: Call = {}): Promise<string> => {
  const answer = await library.app.get(`/publications?${filled(library, query)}`, call)
  assert.equal(answer.status, 200, `${query} ${answer.text}`)
  assert.equal(answer.body.total, answer.body.items.length, query)
  return lettersOf(library, answer.body.items)
}

export const lettersOf = ({ names }: Library, items: { id: string }[]): string =>
  items.map(({ id }) => names.get(id)).join('')

/** Names in angle brackets stand for ids of the library. */
export const filled = (library: Library, query: string): string => {
  const { models, channels, container, tags, users, all } = library
  const ids: Record<string, string> = {
    M: models.M.id,
    N: models.N.id,
    C0: channels[0].id,
    C1: channels[1].id,
    K: container.id,
    T0: tags[0].id,
    T1: tags[1].id,
    T2: tags[2].id,
    U0: users[0].id,
    U1: users[1].id,
    A: all.A.id,
    B: all.B.id,
    none: absent,
  }
  return query.replace(/<(\w+)>/g, (_, name: string) => ids[name]!)
}

/** Holds every query against the letters it must find, in any order. */
export const holdAll = async (
  library: Library,
  cases: readonly (readonly [query: string, letters: string])[],
  call: Call = {},
): Promise<void> => {
  await inTurns(cases, async ([query, letters]) => {
    const seen = await found(library, query, call)
    assert.equal([...seen].sort().join(''), letters, query)
  })
}
