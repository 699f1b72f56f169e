import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { addAsset, addModel, addPerson, addTag } from '../../../test/harness/factories.ts'
import {
  addPublication,
  bodyOf,
  changePublication,
  encodings,
  type Loose,
  readPublication,
  text,
} from '../../../test/harness/publications.ts'
import { made } from '../../../test/harness/records/kind.ts'
import { type FieldLabel, fieldLabels } from '../models/table.ts'

type Type = {
  /** Without label, as a request has it. */
  sent: unknown
  /** What is shown besides id, dates and label, where that is not what was sent. */
  shown?: object
  /** Without label and model nothing tells what it is. */
  needsLabel?: true
}

const hours = [
  { open_day: 1, open_time: '09:00', close_day: 1, close_time: '17:30' },
  { open_day: 5, open_time: '22:00', close_day: 6, close_time: '02:00' },
]
const url = 'https://example.org/a?b=c&d=%20e'
const post = { sent: { url }, needsLabel: true } as const

let app: TestApp
let types: Record<FieldLabel, Type[]>
/** Items as they are shown: keyed by index. */
const keyed = (...items: object[]) => ({ ...items })

before(async () => {
  app = await startApp()
  const publication = await addPublication(app)
  const other = await addPublication(app)
  const [asset, person, tag] = [await addAsset(app), await addPerson(app), await addTag(app)]
  const shown = (label: string, id: string) => ({ id, label })
  const shownTag = { ...shown('Tag', tag.id), body: tag.body, slug: tag.slug }
  types = {
    Text: [
      { sent: { body: '<p>A <b>bold</b> &amp; <i>brave</i> “ü”</p>', format: null } },
      { sent: { body: 'Plain < & > "heading"', format: 'H3' } },
      { sent: { body: '<script>raw()</script>', format: 'CODE' } },
      { sent: { body: 'No format' }, shown: { body: 'No format', format: null } },
    ],
    Color: [
      { sent: { body: '#Ff8800' }, shown: { body: '#Ff8800', format: 'Color' }, needsLabel: true },
      { sent: { body: '#abc', format: 'Color' } },
    ],
    DateTime: [{ sent: { body: '2026-11-01', format: 'Y-m-d' } }],
    DateTimeRange: [
      { sent: { from: '2026-11-01 09:30:00', until: '2026-11-02 10:00:00', format: 'Y-m-d H:m:s' } },
    ],
    Boolean: [{ sent: { value: false } }, { sent: { value: true } }],
    Integer: [{ sent: { value: -7 } }, { sent: { value: 0 } }],
    Float: [{ sent: { value: -1.25 } }],
    Coordinates: [
      {
        sent: { latitude: '52.3702', longitude: '-4.8952' },
        shown: { latitude: 52.3702, longitude: -4.8952 },
      },
      { sent: { latitude: 0, longitude: 180 } },
    ],
    Quote: [{ sent: { body: 'To be & <not>', author: 'W. S.' } }],
    Number: [{ sent: { title: 'Visitors', number: 12, description: 'a day', body: 'people' } }],
    Resource: [{ sent: { url, type: 'Document' } }],
    CardItem: [{ sent: { body: 'Card', sub_title: 'Sub', description: 'More', url, url_label: 'Go' } }],
    MicroblogPost: [post],
    PhotoSocialPost: [post],
    VideoSitePost: [post],
    SocialNetworkPost: [post],
    VideoHostPost: [post],
    AudioHostPost: [post],
    MusicPlaylist: [post],
    QuizPost: [{ sent: { id: 'quiz 42' }, needsLabel: true }],
    BroadcasterPost: [{ sent: { id: 'EP_1.2' }, needsLabel: true }],
    BusinessHours: [{ sent: { items: hours } }],
    String: [{ sent: { body: 'Plain < & > <b>text</b>' }, needsLabel: true }],
    Strings: [{ sent: { items: ['red', '<b>&', 'red'] }, needsLabel: true }],
    Locations: [
      {
        sent: {
          items: [
            { latitude: '52.37', longitude: 4.89, name: 'Quay' },
            { latitude: 0, longitude: -180 },
          ],
        },
        shown: {
          items: [
            { latitude: 52.37, longitude: 4.89, name: 'Quay' },
            { latitude: 0, longitude: -180, name: null },
          ],
        },
        needsLabel: true,
      },
    ],
    Addresses: [
      {
        sent: { items: [{ street: 'Quay', number: 12, city: 'Haven' }] },
        shown: {
          items: [{ street: 'Quay', number: '12', postal_code: null, city: 'Haven', country: null }],
        },
        needsLabel: true,
      },
    ],
    Events: [
      {
        sent: {
          items: [{ from: '2026-11-01', until: '2026-11-01', name: 'Open day' }, { from: '1793525400' }],
        },
        shown: {
          items: [
            { from: '2026-11-01', until: '2026-11-01', name: 'Open day' },
            { from: '2026-11-01T09:30:00+00:00', until: null, name: null },
          ],
        },
        needsLabel: true,
      },
    ],
    Sales: [
      {
        sent: {
          items: [{ price: 12.5, currency: 'EUR', url, from: '2026-11-01T09:00:00Z', until: '2026-12-01' }],
        },
        needsLabel: true,
      },
    ],
    ElementBox: [
      {
        sent: {
          items: [
            text('Heading', 'H2'),
            { label: 'Quote', body: 'Q', author: 'A' },
            { label: 'ElementBox', items: [{ label: 'Integer', value: 3 }] },
            { label: 'Publication', items: [{ id: publication.id }] },
            { label: 'Tag', items: [{ body: tag.body }] },
          ],
        },
        shown: {
          items: [
            text('Heading', 'H2'),
            { label: 'Quote', body: 'Q', author: 'A' },
            { label: 'ElementBox', items: [{ label: 'Integer', value: 3 }] },
            { label: 'Publication', items: keyed(shown('Publication', publication.id)) },
            { label: 'TagBox', items: keyed(shownTag) },
          ],
        },
      },
    ],
    Publication: [
      {
        sent: { items: [{ id: other.id }, { id: publication.id }] },
        shown: { items: keyed(shown('Publication', other.id), shown('Publication', publication.id)) },
      },
    ],
    Asset: [{ sent: { items: [{ id: asset.id }] }, shown: { items: keyed(shown('Asset', asset.id)) } }],
    Person: [{ sent: { items: [{ id: person.id }] }, shown: { items: keyed(shown('Person', person.id)) } }],
    TagBox: [
      { sent: { items: [{ id: tag.id }] }, shown: { items: keyed(shownTag) } },
      { sent: { items: [{ body: ` ${tag.body.toUpperCase()} ` }] }, shown: { items: keyed(shownTag) } },
    ],
  }
})

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/

/** Lists whose items are no values. */
const plainLists = new Set(['BusinessHours', 'Strings', 'Locations', 'Addresses', 'Events', 'Sales'])

/** Takes ids and dates of values, elements and references away, after a look at them. */
const withoutStamps = (value: Loose, keepId: boolean): Loose => {
  const { id, created_on, changed_on, ...rest } = value
  assert.match(created_on, moment)
  assert.ok(typeof id === 'string' && id !== '')
  assert.ok(changed_on === null || moment.test(changed_on))
  if (!plainLists.has(rest.label) && rest.items)
    rest.items = Array.isArray(rest.items)
      ? rest.items.map((item: object) => withoutStamps(item, false))
      : Object.fromEntries(
          Object.entries(rest.items).map(([index, item]) => [index, withoutStamps(item, true)]),
        )
  return keepId ? { id, ...rest } : rest
}

for (const label of fieldLabels)
  test(`${label} goes in and out unchanged, in JSON and in forms, with a label or without`, async () => {
    const model = await addModel(app, { fields: [{ api_id: 'value', label }] })
    const keepId = label === 'QuizPost' || label === 'BroadcasterPost'
    for (const { sent, shown = sent, needsLabel } of types[label]) {
      const expected = { label, ...(shown as object) }
      const labelled = { label, ...(sent as object) }
      const ways: [unknown, object][] = [
        [labelled, { model: { id: model.id } }],
        [labelled, {}],
        [sent, { model: { id: model.id } }],
        ...(needsLabel ? [] : ([[sent, {}]] as [unknown, object][])),
      ]
      const calls = Object.entries(encodings).flatMap(([way, encode]) =>
        ways.map(async ([value, more]) => {
          const body = bodyOf({ 'en-US': { value } } as never, { ...more, slug: { 'en-US': randomUUID() } })
          const created = await app.call('POST', '/publications?fields=items', encode(body))
          const { id } = made(created)
          const read = await readPublication(app, id)
          assert.deepEqual(read.items, created.body.items)
          assert.deepEqual(withoutStamps(read.items['en-US'].value, keepId), expected, `${way} ${label}`)
          assert.equal(read.items['en-US'].value.changed_on, null)
        }),
      )
      await Promise.all(calls)
    }
  })

for (const label of fieldLabels)
  test(`${label} read back and sent again is no change, with a label or without`, async () => {
    for (const { sent } of types[label])
      for (const model of [null, await addModel(app, { fields: [{ api_id: 'value', label }] })]) {
        const more = model ? { model: { id: model.id } } : {}
        const body = { label, ...(sent as object) }
        const { id, items } = await addPublication(app, { 'en-US': { value: body } }, more)
        const { label: _label, ...bare } = items['en-US'].value
        const calls = Object.entries(encodings).flatMap(([way, encode]) =>
          [items['en-US'].value, bare].map(async (value) => {
            const sentBack = encode({ items: { 'en-US': { value } } })
            const put = await app.call('PUT', `/publications/${id}?fields=items`, sentBack)
            assert.equal(put.status, 200, put.text)
            assert.equal(put.body.changed_on, null, `${way} ${label} ${JSON.stringify(value)}`)
            assert.deepEqual(put.body.items, items)
          }),
        )
        await Promise.all(calls)
      }
  })

test('values keep id and created_on over changes; changed_on moves only where the value differs', async () => {
  const first = { label: 'ElementBox', items: [text('One'), text('Two')] }
  const { id, items } = await addPublication(app, {
    'en-US': { title: text('A'), box: first, same: text('S') },
  })
  const was = items['en-US']
  await app.context.db
    .updateTable('publication_locales')
    .set({ items: JSON.stringify(older(was)) as never })
    .where('id', '=', id)
    .execute()
  const [one, two] = was.box.items
  const changed = await changePublication(app, id, {
    items: {
      'en-US': {
        title: { body: 'B' },
        same: was.same,
        box: { items: [{ ...two, body: 'Second' }, one, { body: 'New' }] },
      },
    },
  })
  const now = changed.items['en-US']
  assert.deepEqual([now.title.id, now.title.created_on, now.title.body], [was.title.id, old, 'B'])
  assert.match(now.title.changed_on, moment)
  assert.equal(now.title.format, null)
  assert.deepEqual(now.same, { ...was.same, created_on: old })
  const elements = now.box.items.map(({ id: element, body, changed_on }: Loose) => [
    element,
    body,
    changed_on,
  ])
  assert.deepEqual(elements.slice(0, 2), [
    [two.id, 'Second', now.title.changed_on],
    [one.id, 'One', null],
  ])
  assert.equal(now.box.id, was.box.id)
  assert.ok(![one.id, two.id].includes(elements[2][0]))
})

const old = '2020-01-01T00:00:00+00:00'
/** The same values as if they had been made long ago. */
const older = (value: Loose): Loose =>
  Array.isArray(value)
    ? value.map(older)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value).map(([key, inner]) => [key, key === 'created_on' ? old : older(inner)]),
        )
      : value
