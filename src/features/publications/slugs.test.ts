import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { addModel } from '../../../test/harness/factories.ts'
import { addPublication, bodyOf, changePublication, text } from '../../../test/harness/publications.ts'
import { eventsOf, faults } from '../../../test/harness/records/kind.ts'

const [en, nl] = ['en-US', 'nl-NL'] as const
const titled = (title: string, locale: string = en) => ({ [locale]: { title: text(title) } })

test('a slug is made from the title, whatever is in it, with a number where it is taken', async () => {
  const app = await startApp()
  const slugOf = async (items: Record<string, Record<string, unknown>>) =>
    (await addPublication(app, items)).slug[en]
  assert.equal(await slugOf(titled('<p>Café &amp; <b>Zürich</b> 24</p>')), 'cafe-zurich-24')
  assert.equal(await slugOf(titled('Café Zürich 24!')), 'cafe-zurich-24-2')
  assert.equal(await slugOf(titled('cafe zurich 24-2')), 'cafe-zurich-24-2-2')
  assert.equal(await slugOf(titled('CAFE  ZURICH  24')), 'cafe-zurich-24-3')
  assert.equal(await slugOf(titled('🎷 ¡!')), 'untitled')
  assert.equal(await slugOf({ [en]: { on: { value: true } } }), 'untitled-2')
  assert.equal(await slugOf(titled('Привет, мир')), 'привет-мир')
  assert.equal((await slugOf(titled('x'.repeat(5000)))).length, 100)
})

test('a slug that is ours stays when the title changes, and null has it made anew', async () => {
  const app = await startApp()
  const { id } = await addPublication(app, titled('First'))
  const renamed = await changePublication(app, id, { items: titled('Second') })
  assert.equal(renamed.slug[en], 'first')
  assert.equal((await changePublication(app, id, { slug: { [en]: null } })).slug[en], 'second')
  assert.equal((await changePublication(app, id, { slug: { [en]: null } })).slug[en], 'second')
  assert.equal((await changePublication(app, id, { slug: { [en]: 'Own.Slug' } })).slug[en], 'Own.Slug')
  assert.equal((await addPublication(app, titled('First'))).slug[en], 'first')
})

test('a taken slug that was sent is 409 by its locale and nothing is done', async () => {
  const app = await startApp()
  const both = { ...titled('A'), ...titled('A', nl) }
  await addPublication(app, both, { slug: { [en]: 'taken', [nl]: 'bezet' } })
  const slug = { [en]: 'taken', [nl]: 'bezet' }
  const answer = await app.post('/publications', bodyOf(both, { slug }))
  assert.deepEqual(faults(answer, 409), ['slug.en-US', 'slug.nl-NL'])
  assert.equal(answer.body.type, 'Conflict')
  const { id } = await addPublication(app, both)
  const change = { slug: { [en]: 'taken' }, items: titled('Never') }
  assert.deepEqual(faults(await app.put(`/publications/${id}`, change), 409), ['slug.en-US'])
  assert.deepEqual(await eventsOf(app, id), ['publication.created'])
  for (const bad of ['', 'a b', 'a/b', 'a?b', '#', 'x'.repeat(201), 7, {}, '\u0000'])
    assert.ok(faults(await app.put(`/publications/${id}`, { slug: { [en]: bad } })).includes('slug.en-US'))
  const swapped = await changePublication(app, id, { slug: { [en]: 'bezet', [nl]: 'taken' } })
  assert.deepEqual(swapped.slug, { [en]: 'bezet', [nl]: 'taken' })
})

test('slugs are unique per model and locale; a model or an environment of its own has its own', async () => {
  const app = await startApp()
  const [one, two] = [await addModel(app), await addModel(app)].map(({ id }) => ({ id }))
  const slug = { [en]: 'same', [nl]: 'same' }
  const fields = [{ api_id: 'title', label: 'Text' }]
  for (const model of [one!, two!]) await app.put(`/publication_models/${model.id}`, { fields })
  const both = { ...titled('A'), ...titled('B', nl) }
  const first = await addPublication(app, both, { slug, model: one })
  const second = await addPublication(app, both, { slug, model: two })
  await addPublication(app, both, { slug })
  const { value: token } = await app.addToken({ environment: await app.addEnvironment() })
  await addPublication(app, both, { slug }, { token })
  assert.deepEqual([first.slug, second.slug], [slug, slug])
  const sent = { model: one, slug: { [en]: 'same' } }
  const moved = await changePublication(app, second.id, { model: one })
  assert.deepEqual(moved.slug, { [en]: 'same-2', [nl]: 'same-2' })
  const back = await changePublication(app, second.id, { model: two })
  assert.deepEqual(back.slug, { [en]: 'same-2', [nl]: 'same-2' })
  assert.deepEqual(faults(await app.put(`/publications/${second.id}`, sent), 409), ['slug.en-US'])
})

test('30 parallel creations of one title, and of titles that look like its numbers, get slugs of their own', async () => {
  const app = await startApp()
  const titles = Array.from({ length: 30 }, (_, index) =>
    index % 3 === 0 ? `Race ${(index % 9) + 2}` : 'Race',
  )
  const answers = await Promise.all(
    titles.map((title) => app.post('/publications', bodyOf({ ...titled(title), ...titled(title, nl) }))),
  )
  assert.deepEqual(
    answers.map(({ status, text: raw }) => (status === 201 ? 201 : raw)),
    titles.map(() => 201),
  )
  for (const locale of [en, nl])
    assert.equal(new Set(answers.map(({ body }) => body.slug[locale])).size, titles.length)
  const alone = await startApp()
  const same = await Promise.all(
    Array.from({ length: 30 }, () => alone.post('/publications', bodyOf(titled('Same')))),
  )
  const expected = same.map((_, index) => (index === 0 ? 'same' : `same-${index + 1}`))
  assert.deepEqual(same.map(({ body }) => body.slug[en]).toSorted(), expected.toSorted())
})

test('of 20 parallel writes that send one slug, one gets it and the others 409', async () => {
  const app = await startApp()
  const ids: string[] = []
  for (let index = 0; index < 10; index += 1) ids.push((await addPublication(app)).id)
  const slug = { [en]: 'wanted' }
  const answers = await Promise.all([
    ...ids.map((id) => app.put(`/publications/${id}`, { slug })),
    ...ids.map(() => app.post('/publications', bodyOf(titled('x'), { slug }))),
  ])
  const statuses = answers.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 200 || status === 201).length, 1)
  assert.equal(statuses.filter((status) => status === 409).length, 19, statuses.join())
  for (const answer of answers.filter(({ status }) => status === 409))
    assert.deepEqual(faults(answer, 409), ['slug.en-US'])
})
