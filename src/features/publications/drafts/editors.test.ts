import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser } from '../../../../test/harness/access.ts'
import { startApp } from '../../../../test/harness/app.ts'
import {
  bodies,
  draftOf,
  en,
  nl,
  publish,
  published,
  readDraft,
  saveDraft,
  seen,
} from '../../../../test/harness/drafts.ts'
import { addChannel } from '../../../../test/harness/factories.ts'
import {
  addPublication,
  changePublication,
  readerToken,
  readPublication,
  storedVersions,
  text,
} from '../../../../test/harness/publications.ts'
import { absent, faults } from '../../../../test/harness/records/kind.ts'

test('two editors who save different fields and locales at once keep everything', async () => {
  const app = await startApp()
  const { id } = await addPublication(app, { 'en-US': { title: text('One') } })
  const names = Array.from({ length: 20 }, (_, index) => `field_${index}`)
  const saves = names.flatMap((name) => [
    en({ [name]: text(`en ${name}`) }),
    nl({ [name]: text(`nl ${name}`) }),
  ])
  await Promise.all(saves.map((body) => saveDraft(app, id, body)))
  const { items } = (await readDraft(app, id)).body
  for (const name of names) {
    assert.equal(items['en-US'][name].body, `en ${name}`)
    assert.equal(items['nl-NL'][name].body, `nl ${name}`)
  }
  assert.deepEqual((await published(app, id)).items, items)
})

test('of the same field the later save wins, unless it says that it saw an older state', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  const start = await readDraft(app, id)
  const first = await saveDraft(app, id, en({ title: text('A') }), seen(start))
  const stale = await app.put(draftOf(id), en({ title: text('B') }), { headers: seen(start) })
  assert.equal(stale.status, 412)
  await saveDraft(app, id, en({ intro: text('B') }), seen(start))
  await saveDraft(app, id, nl({ title: text('B') }), seen(start))
  await saveDraft(app, id, en({ title: text('C') }), seen(first))
  await saveDraft(app, id, en({ title: text('D') }))
  const { body } = await readDraft(app, id)
  assert.deepEqual(bodies(body.items['en-US']), { title: 'D', intro: 'B' })
  assert.deepEqual(faults(await app.put(draftOf(id), {}, { headers: { 'if-match': 'x' } })), ['If-Match'])
})

test('what was published or written since an editor read it is no longer as it was seen', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  await saveDraft(app, id, en({ title: text('A') }))
  const read = await readDraft(app, id)
  await published(app, id)
  const late = (body: object) => app.put(draftOf(id), body, { headers: seen(read) })
  assert.equal((await late(en({ title: text('B') }))).status, 412)
  for (let index = 0; index < 3; index += 1) {
    await saveDraft(app, id, en({ title: text(`C ${index}`) }))
    assert.equal((await late(en({ title: text('B') }))).status, 412, 'an old version never comes true again')
  }
  assert.equal((await late(nl({ title: text('B') }))).status, 200, 'nobody touched that locale')
  const again = await readDraft(app, id)
  await changePublication(app, id, en({ intro: text('Direct') }))
  const clash = await app.put(draftOf(id), en({ intro: text('B') }), { headers: seen(again) })
  assert.equal(clash.status, 412)
})

test('a plain read tells the version that the first save can name', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  const plain = await app.get(`/publications/${id}`)
  await saveDraft(app, id, en({ title: text('A') }), seen(plain))
  const second = await app.put(draftOf(id), en({ title: text('B') }), { headers: seen(plain) })
  assert.equal(second.status, 412)
})

test('an unchanged draft is a 304 to who holds it', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  await saveDraft(app, id, en({ title: text('A') }))
  const { headers } = await readDraft(app, id)
  const again = await app.get(draftOf(id), { headers: { 'if-none-match': headers.get('etag')! } })
  assert.equal(again.status, 304)
})

test('a save beside a publish is in the version or stays in the draft', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  await saveDraft(app, id, en({ start: text('x') }))
  const names = Array.from({ length: 30 }, (_, index) => `field_${index}`)
  const work = names.flatMap((name, index) => [
    app.put(draftOf(id), en({ [name]: text(name) })),
    ...(index % 5 === 2 ? [publish(app, id)] : []),
  ])
  for (const answer of await Promise.all(work)) assert.ok([200, 409].includes(answer.status), answer.text)
  const { items } = (await readDraft(app, id)).body
  for (const name of names) assert.equal(items['en-US'][name]?.body, name)
  if ((await publish(app, id)).status === 409) return
  const all = (await readPublication(app, id)).items['en-US']
  for (const name of names) assert.equal(all[name]?.body, name)
})

test('drafts beside direct writes lose neither', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      index % 2
        ? saveDraft(app, id, en({ [`draft_${index}`]: text('draft') }))
        : changePublication(app, id, en({ [`direct_${index}`]: text('direct') })),
    ),
  )
  const direct = Object.keys((await readPublication(app, id)).items['en-US'])
  assert.deepEqual(
    direct.filter((name) => name.startsWith('draft')),
    [],
  )
  assert.equal(direct.filter((name) => name.startsWith('direct')).length, 10)
  const all = Object.keys((await published(app, id)).items['en-US'])
  assert.equal(all.filter((name) => name.startsWith('d')).length, 20)
})

test('some locales can be published while others wait', async () => {
  const app = await startApp()
  const channel = await addChannel(app)
  const { id } = await addPublication(app)
  await saveDraft(app, id, { ...en({ title: text('EN') }), channels: [{ id: channel.id }] })
  await saveDraft(app, id, nl({ title: text('NL') }))
  assert.deepEqual(faults(await publish(app, id, { locales: ['nl-NL', 'xx-XX'] })), ['locales.1'])
  assert.deepEqual(faults(await publish(app, id, { locales: [], other: 1 })), ['locales', 'other'])
  const after = await published(app, id, { locales: ['nl-NL'] })
  assert.deepEqual([after.items['nl-NL'].title.body, after.items['en-US'].title.body], ['NL', 'Untitled'])
  assert.equal((await publish(app, id, { locales: ['nl-NL'] })).status, 409)
  const open = (await app.get(`/publications/${id}?fields=draft,channels`)).body
  assert.deepEqual([Object.keys(open.draft), open.channels], [['all', 'en-US'], []])
  const rest = await published(app, id, { locales: ['en-US'], all: true })
  assert.equal(rest.items['en-US'].title.body, 'EN')
  const done = (await app.get(`/publications/${id}?fields=draft,channels`)).body
  assert.deepEqual([done.draft, done.channels[0].id], [{}, channel.id])
})

test('the draft tells by locale who changed it last, only to those who see everything', async () => {
  const app = await startApp()
  const user = await addUser(app)
  const { value: token } = await app.addToken({ user_id: user.id })
  const { id } = await addPublication(app, undefined, { status: { 'en-US': { body: 'Done' } } })
  assert.deepEqual((await app.get(`/publications/${id}?fields=draft`)).body.draft, {})
  await app.put(draftOf(id), en({ title: text('A') }), { token })
  const { draft } = (await app.get(`/publications/${id}?fields=draft`)).body
  assert.deepEqual(Object.keys(draft), ['en-US'])
  assert.equal(draft['en-US'].updated_by.id, user.id)
  assert.deepEqual([typeof draft['en-US'].changed_on, draft['en-US'].version], ['string', 1])
  const reader = { token: await readerToken(app) }
  assert.deepEqual((await app.get(`/publications/${id}?fields=draft`, reader)).body.draft, {})
  assert.equal((await app.get(draftOf(id), reader)).status, 403)
})

test('drafts belong to their publication and environment, and end with it', async () => {
  const app = await startApp()
  const other = await startApp()
  const { id } = await addPublication(app)
  for (const [who, one] of [
    [other, id],
    [app, absent],
  ] as const) {
    assert.equal((await who.get(draftOf(one))).status, 404)
    assert.equal((await who.put(draftOf(one), en({ title: text('x') }))).status, 404)
    assert.equal((await publish(who, one)).status, 404)
    assert.equal((await who.delete(`/publications/${one}/draft`)).status, 404)
  }
  await saveDraft(app, id, en({ title: text('Draft') }))
  await app.delete(`/publications/${id}`)
  await app.post(`/publications/${id}/restore`)
  assert.equal((await readDraft(app, id)).body.items['en-US'].title.body, 'Untitled')
})

test('a publish that is repeated with its key is one publish', async () => {
  const app = await startApp()
  const { id } = await addPublication(app)
  await saveDraft(app, id, en({ title: text('Once') }))
  const headers = { 'idempotency-key': 'publish' }
  const [first, second] = [
    await publish(app, id, undefined, headers),
    await publish(app, id, undefined, headers),
  ]
  assert.deepEqual([first.status, second.status], [200, 200], second.text)
  assert.equal((await storedVersions(app, id)).length, 2)
})
