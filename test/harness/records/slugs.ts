import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faults, generations, made, type RecordKind, sample, startEmpty } from './kind.ts'

export const checkSlugs = (kind: RecordKind): void => {
  for (const generation of generations) {
    const url = generation + kind.path

    test(`${url}: a slug is made from the ${kind.text}, and a taken one that was sent is refused`, async () => {
      const app = await startEmpty(kind)
      assert.equal(made(await app.post(url, sample(kind, 'Café Zürich 24'))).slug, 'cafe-zurich-24')
      assert.equal(made(await app.post(url, sample(kind, 'Café Zürich 24!'))).slug, 'cafe-zurich-24-2')
      assert.equal(made(await app.post(url, sample(kind, '¡¿!?', { slug: null }))).slug, 'untitled')
      const own = made(await app.post(url, sample(kind, 'Own', { slug: 'My.Slug' })))
      assert.equal(own.slug, 'My.Slug')
      assert.deepEqual(faults(await app.post(url, sample(kind, 'Other', { slug: 'untitled' })), 409), [
        'slug',
      ])
      const taken = await app.put(`${url}/${own.id}`, sample(kind, 'Own', { slug: 'untitled' }))
      assert.deepEqual(faults(taken, 409), ['slug'])
      const renamed = await app.put(`${url}/${own.id}`, sample(kind, 'Renamed'))
      assert.equal(renamed.body.slug, 'My.Slug')
      for (const slug of ['', 'a b', 'a/b', 'a?b', 'x'.repeat(201), 7])
        assert.deepEqual([...new Set(faults(await app.post(url, sample(kind, 'x', { slug }))))], ['slug'])
      const { value: token } = await app.addToken({ environment: await app.addEnvironment() })
      assert.equal(
        made(await app.post(url, sample(kind, 'Own', { slug: 'My.Slug' }), { token })).slug,
        'My.Slug',
      )
    })

    test(`${url}: 40 parallel creations whose slugs collide all succeed with slugs of their own`, async () => {
      const app = await startEmpty(kind)
      const names = Array.from({ length: 40 }, (_, index) => `Same name${'!'.repeat(index)}`)
      const answers = await Promise.all(names.map((name) => app.post(url, sample(kind, name))))
      const slugs = answers.map((answer) => made(answer).slug)
      assert.deepEqual(
        slugs.toSorted(),
        names.map((_, index) => (index === 0 ? 'same-name' : `same-name-${index + 1}`)).toSorted(),
      )
    })
  }
}
