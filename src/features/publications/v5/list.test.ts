import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { addUser, eventually } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addChannel, addInteraction, addPerson, addTag } from '../../../../test/harness/factories.ts'
import { addPublication, type Loose, readerToken, text } from '../../../../test/harness/publications.ts'
import { faults, made } from '../../../../test/harness/records/kind.ts'
import { addReader, signIn, signInSettings } from '../../../../test/harness/sign-in.ts'

let app: TestApp
let session: string
let personId: string
/** Letter → id. */
const names = new Map<string, string>()
const known: Record<string, string> = {}

const day = (number: number): string => `2026-01-0${number}T12:00:00+00:00`
const add = async (letter: string, body: object): Promise<void> => {
  const sent = { label: 'Note', name: letter, status: 'published', ...body }
  names.set(made(await app.post('/v5/publications', sent)).id, letter)
}

/** One degree of latitude is 111.195 km. */
const north = (metres: number) => ({ latitude: 52 + metres / 111_195, longitude: 4 })

before(async () => {
  app = await startApp(signInSettings)
  const [one, two] = [await addChannel(app, { slug: 'site' }), await addChannel(app, { slug: 'radio' })]
  const [first, second] = [
    await addTag(app, { body: 'Sports', slug: 'sports' }),
    await addTag(app, { body: 'Rock, loud', slug: 'rock' }),
  ]
  Object.assign(known, { site: one.id, radio: two.id, sports: first.id, rock: second.id })
  await add('A', {
    published_on: day(1),
    channel: { id: one.id },
    tags: [{ id: first.id }],
    locations: [north(5000), north(900)],
    events: [{ from: '2026-03-01', until: '2026-03-02' }],
  })
  await add('B', {
    published_on: day(2),
    channel: { id: two.id },
    tags: [{ id: first.id }, { id: second.id }],
    locations: [north(100)],
    events: [{ from: '2026-03-02T20:00:00Z', until: '2026-03-03T01:00:00Z' }],
    label: 'Banner',
  })
  await add('C', {
    published_on: day(3),
    status: 'draft',
    custom: ['harbour', 'elephants'],
    locations: [north(-400)],
    events: [{ from: '2026-03-10' }, { from: '2026-01-01' }],
    label: 'Show',
  })
  await add('D', { published_on: day(4), channel: { id: one.id }, unpublish_on: day(5), label: 'Banner' })
  const article = await addPublication(
    app,
    { 'en-US': { title: text('E about elephants') } },
    { publish_on: { 'en-US': day(6) }, channels: [{ id: two.id }, { id: one.id }] },
  )
  names.set(article.id, 'E')
  const reader = await addReader(app)
  personId = reader.id
  session = (await signIn(app, reader)).body.hash
})

const idOf = (letter: string): string => [...names].find(([, one]) => one === letter)![0]

type Body = { items: { id: string }[]; total: number; after: string; before: string }

const get = async (query: string, call: object = {}): Promise<Body> => {
  const answer = await app.get(`/v5/publications?${query}`, call)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const lettersOf = ({ items }: Body): string => items.map(({ id }) => names.get(id)).join('')

/** The letters that a list gives, in its order; its total must agree with it. */
const found = async (query: string, call: object = {}): Promise<string> => {
  const all = await get(query, call)
  assert.equal(all.total, all.items.length, query)
  return lettersOf(all)
}
const sorted = async (query: string): Promise<string> => [...(await found(query))].sort().join('')

/** The same; its pages in both directions must agree with it, too. */
const walked = async (query: string, call: object = {}): Promise<string> => {
  const all = await found(query, call)
  let [there, back] = ['', '']
  let body = await get(`${query}&limit=2`, call)
  for (; body.items.length > 0; body = await get(`${query}&limit=2&after=${body.after}`, call))
    there += lettersOf(body)
  for (;;) {
    body = await get(`${query}&limit=2&before=${body.before}`, call)
    if (body.items.length === 0) break
    back = lettersOf(body) + back
  }
  assert.deepEqual([there, back], [all, all], query)
  assert.equal(lettersOf(await get(`${query}&skip=1`, call)), all.slice(1), query)
  return all
}

test('every parameter finds what it names, and nothing else', async () => {
  const { site: channel, radio: other, sports: tag, rock } = known
  const cases: Record<string, string> = {
    '': 'ABCDE',
    'status=published': 'AB',
    'status=draft': 'CE',
    'status=Expired': 'D',
    'status=published,Expired': 'ABD',
    'status[]=draft&status[]=Expired': 'CDE',
    'status=nothing': '',
    'label=Banner': 'BD',
    'label[0]=Banner&label[1]=Show': 'BCD',
    'label=Publication': 'E',
    'label=Publication,Note': 'AE',
    'label=banner': '',
    [`channel_id=${channel}`]: 'ADE',
    [`channel_ids=${channel},${other}`]: 'ABDE',
    [`channel_ids=${channel}&channel_id=${other}`]: 'E',
    'channel_slug=radio': 'BE',
    'channel_slug=none': '',
    [`tag_ids=${tag}`]: 'AB',
    [`tag_ids=${rock},none`]: 'B',
    'tag_names=SPORTS': 'AB',
    'tag_names[0]=Rock, loud': 'B',
    'tag_slug=rock': 'B',
    'q=elephants': 'CE',
    'q=elefants': 'CE',
    'q=harbor': 'C',
    [`published_on_from=${Date.parse(day(3)) / 1000}`]: 'CDE',
    [`published_on_until=${Date.parse(day(3)) / 1000}`]: 'ABC',
    'published_on_from=2026-01-02&published_on_until=2026-01-03': 'BC',
    'event_from=2026-03-02': 'ABC',
    'event_from=2026-03-03': 'BC',
    'event_from=2026-03-03T01:00:01Z': 'C',
    'event_until=2026-03-01': 'AC',
    'event_from=2026-03-03&event_until=2026-03-09': 'B',
    'event_from=2026-02-01&event_until=2026-02-28': '',
    'event_from=2026-03-11': '',
    'published=true': 'AB',
    'published[eq]=false': 'CDE',
    'created_by_id=nobody': '',
    'status=published&label=Banner&tag_slug=sports&channel_slug=radio&q=b': 'B',
  }
  for (const [query, letters] of Object.entries(cases)) assert.equal(await sorted(query), letters, query)
})

test('who made it can be asked for', async () => {
  const user = await addUser(app)
  const { value: token } = await app.addToken({ user_id: user.id })
  const { body } = await app.post('/v5/publications', { label: 'Own', published_on: day(1) }, { token })
  names.set(body.id, 'U')
  assert.equal(await found(`created_by_id=${user.id}`), 'U')
  assert.equal((await app.delete(`/v5/publications/${body.id}`)).status, 204)
  assert.equal(await found(`created_by_id=${user.id}`), '')
})

test('every sort, both ways', async () => {
  await app.put(`/v5/publications/${idOf('B')}`, { capacity: 1 })
  await app.context.db
    .updateTable('publications')
    .set({ created_on: new Date(day(9)) })
    .where('id', '=', idOf('C'))
    .execute()
  const cases = {
    published_on: 'ABCDE',
    '-published_on': 'EDCBA',
    created_on: 'CABDE',
    '-created_on': 'EDBAC',
    name: 'ABCDE',
    '-name': 'EDCBA',
  }
  for (const [sort, letters] of Object.entries(cases))
    assert.equal(await walked(`sort=${sort}`), letters, sort)
  assert.ok((await walked('sort=changed_on')).startsWith('B'))
  assert.ok((await walked('sort=-changed_on')).startsWith('B'))
  assert.equal(await found('label=Banner,Note&sort=-name'), 'DBA')
  assert.equal(await walked('sort=-published_on', { token: await readerToken(app) }), 'BA')
})

test('the nearest come first, within the distance or all of them', async () => {
  const place = 'latitude=52&longitude=4'
  assert.equal(await walked(place), 'BCA')
  assert.equal(await found(`${place}&distance=50`), '')
  assert.equal(await found(`${place}&distance=99`), '')
  assert.equal(await found(`${place}&distance=101`), 'B')
  assert.equal(await found(`${place}&distance=500`), 'BC')
  assert.equal(await found(`${place}&distance=1000&sort=name`), 'ABC')
  assert.equal(await walked(`${place}&distance=1000&status=published`), 'BA')
  assert.equal(await found('latitude=52.05&longitude=4&distance=2000'), 'A')
  const { body } = await app.get(`/v5/publications?${place}&total=false`)
  assert.deepEqual([body.total, body.items.length], [undefined, 3])
})

test('places round the date line and the poles are near each other', async () => {
  const own = await startApp(signInSettings)
  const put = async (name: string, latitude: number, longitude: number) =>
    made(
      await own.post('/v5/publications', {
        label: 'Spot',
        name,
        published_on: day(1),
        locations: [{ latitude, longitude }],
      }),
    )
  await put('east', 0, 179.999)
  await put('west', 0, -179.998)
  await put('pole', 89.9999, 10)
  await put('other side of the pole', 89.9998, -170)
  const near = async (query: string) =>
    (await own.get(`/v5/publications?${query}`)).body.items.map(({ name }: Loose) => name)
  assert.deepEqual(await near('latitude=0&longitude=180&distance=500'), ['east', 'west'])
  assert.deepEqual(await near('latitude=0&longitude=-180&distance=150'), ['east'])
  assert.deepEqual(await near('latitude=90&longitude=0&distance=50'), ['pole', 'other side of the pole'])
  assert.equal((await near('latitude=-90&longitude=0&distance=2147483647')).length, 4)
})

test('those with most interactions come first, then the order asked for', async () => {
  const person = await addPerson(app)
  for (const [letter, label, times] of [
    ['C', 'View', 3],
    ['A', 'View', 1],
    ['D', 'Like', 2],
  ] as const)
    for (let time = 0; time < times; time += 1)
      await addInteraction(app, { label, publication_id: idOf(letter), person })
  assert.equal(await walked('interactions_order=View&sort=name'), 'CABDE')
  assert.equal(await walked('interactions_order=View&sort=-published_on'), 'CAEDB')
  assert.equal(await found('interactions_order=Like&sort=name'), 'DABCE')
  assert.equal(await found('interactions_order=Vote&sort=name'), 'ABCDE')
  assert.equal(await found('interactions_order=View&sort=name&status=published'), 'AB')
  assert.equal(await walked('interactions_order=Like&latitude=52&longitude=4&sort=name'), 'ABC')
})

test('what the person of a session did, or did not', async () => {
  const done = async (label: string, letter: string) => {
    const sent = { label, person: { id: personId } }
    const answer = await app.post(`/publications/${idOf(letter)}/interactions`, sent)
    assert.equal(answer.status, 202, answer.text)
  }
  await done('View', 'A')
  await done('View', 'C')
  await done('Bookmark', 'A')
  await done('Dislike', 'B')
  await done('Purchase', 'C')
  const like = `/publications/${idOf('E')}/like?session_hash=${session}`
  assert.equal((await app.call('POST', like)).status, 204)
  const mine = (query: string) => sorted(`${query}&session_hash=${session}`)
  assert.equal(await mine('me_viewed=true'), 'AC')
  assert.equal(await mine('me_viewed=false'), 'BDE')
  assert.equal(await mine('me_bookmarked=1'), 'A')
  assert.equal(await mine('me_disliked=true'), 'B')
  assert.equal(await mine('me_purchased=true'), 'C')
  assert.equal(await mine('me_liked=true'), 'E')
  assert.equal(await mine('me_viewed=true&me_purchased=false'), 'A')
  assert.equal((await app.delete(like)).status, 204)
  assert.equal(await mine('me_liked=true'), '')
  await done('View', 'B')
  assert.equal(await mine('me_viewed=true'), 'ABC')
  const other = await signIn(app, await addReader(app))
  assert.equal(await sorted(`me_viewed=true&session_hash=${other.body.hash}`), '')
})

test('everything that is wrong with a query is named at once', async () => {
  const refused = async (query: string) => faults(await app.get(`/v5/publications?${query}`))
  for (const name of ['me_viewed', 'me_liked', 'me_bookmarked', 'me_disliked', 'me_purchased'])
    assert.deepEqual(await refused(`${name}=true`), [name])
  assert.deepEqual(await refused('me[notification][state]=pending'), ['me.notification.state'])
  assert.deepEqual(await refused(`me[notification][state]=x&session_hash=${session}`), [
    'me.notification.state',
  ])
  assert.deepEqual(await refused('me_liked=true&session_hash=none'), ['session_hash'])
  assert.deepEqual(await refused('latitude=52'), ['longitude'])
  assert.deepEqual(await refused('longitude=4'), ['latitude'])
  assert.deepEqual(await refused('distance=100'), ['distance'])
  assert.deepEqual(await refused('latitude=52&longitude=4&distance=49'), ['distance'])
  assert.deepEqual(await refused('latitude=91&longitude=181&distance=1.5'), [
    'distance',
    'latitude',
    'longitude',
  ])
  assert.deepEqual(await refused('event_from=2026-03-02&event_until=2026-03-01'), ['event_until'])
  assert.deepEqual(await refused('published_on_from=9&published_on_until=8'), ['published_on_until'])
  assert.deepEqual(await refused('interactions_order=Sneeze'), ['interactions_order'])
  assert.deepEqual(await refused('published[gt]=true'), ['published.gt'])
  assert.deepEqual(await refused('published=perhaps'), ['published'])
  assert.deepEqual(
    await refused(
      'status=&label=,&q=%20&me_liked=maybe&event_from=soon&sort=size&fields=x&limit=0&locale=en-US',
    ),
    ['event_from', 'fields', 'label', 'limit', 'locale', 'me_liked', 'me_liked', 'q', 'sort', 'status'],
  )
})

test('fields add what lists leave out', async () => {
  const query = 'fields=locations,custom,published,channel{slug},items,insights,created_by&sort=name&limit=3'
  const { body } = await app.get(`/v5/publications?${query}`)
  const [a, , c] = body.items
  assert.deepEqual([a.channel.slug, a.published, a.custom, a.locations.length], ['site', true, null, 2])
  assert.deepEqual([c.custom, c.channel, c.items.name.body], [['harbour', 'elephants'], null, 'C'])
  const base = (await app.get('/v5/publications?limit=1')).body.items[0]
  assert.deepEqual(Object.keys(base).sort(), [
    'changed_on',
    'channel',
    'container',
    'created_on',
    'id',
    'label',
    'name',
    'preview_url',
    'published_on',
    'share_url',
    'slug',
    'status',
    'unpublish_on',
  ])
})

test('totals and pages follow writes of either generation', async () => {
  const place = 'latitude=10&longitude=10&distance=1000'
  assert.equal(await found(place), '')
  await add('F', { published_on: day(1), label: 'Spot', locations: [{ latitude: 10, longitude: 10.001 }] })
  assert.equal(await found(place), 'F')
  assert.equal(await found('label=Spot'), 'F')
  const items = { 'en-US': { locations: { items: [{ latitude: 10, longitude: 11 }] } } }
  assert.equal((await app.put(`/publications/${idOf('F')}`, { items })).status, 200)
  assert.equal(await found(place), '')
  assert.equal(await found('latitude=10&longitude=11&distance=50'), 'F')
  await app.delete(`/publications/${idOf('F')}`)
  assert.equal(await found('label=Spot'), '')
  await eventually(async () => (await app.sql`select 1 from outbox`).length === 0)
  assert.equal(await found('label=Spot'), '')
})
