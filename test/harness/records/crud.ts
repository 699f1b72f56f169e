import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventsOf, faults, generations, made, type RecordKind, sample, startEmpty } from './kind.ts'

export const checkCrud = (kind: RecordKind): void => {
  const { path, label, text } = kind
  const lasting = (body: object) =>
    Object.fromEntries(Object.entries(body).filter(([field]) => !kind.settling?.includes(field)))
  const name = label.replace(/\B[A-Z]/g, '_$&').toLowerCase()

  for (const generation of generations) {
    const url = generation + path
    const other = (generation === '' ? '/v5' : '') + path

    test(`${url}: a ${name} is created, read, listed, changed and deleted, and each is told once`, async () => {
      const app = await startEmpty(kind)
      const created = await app.post(url, sample(kind, 'First'))
      const { id } = made(created)
      assert.equal(created.headers.get('location'), `${url}/${id}`)
      assert.equal(created.body.label, label)
      assert.equal(created.body[text], 'First')
      assert.equal(created.body.changed_on, null)
      assert.match(created.body.created_on, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
      assert.deepEqual(lasting((await app.get(`${url}/${id}`)).body), lasting(created.body))
      assert.deepEqual((await app.get(url)).body.items.map(lasting), [lasting(created.body)])

      const changed = await app.put(`${url}/${id}`, sample(kind, 'Second'))
      assert.equal(changed.status, 200, changed.text)
      assert.notEqual(changed.body.changed_on, null)
      assert.deepEqual(lasting(changed.body), {
        ...lasting(created.body),
        [text]: 'Second',
        changed_on: changed.body.changed_on,
      })
      assert.deepEqual(lasting((await app.get(`${url}/${id}`)).body), lasting(changed.body))

      const removed = await app.delete(`${url}/${id}`)
      assert.deepEqual([removed.status, removed.text], [204, ''])
      for (const method of ['GET', 'DELETE'])
        assert.equal((await app.call(method, `${url}/${id}`)).status, 404)
      assert.equal((await app.put(`${url}/${id}`, sample(kind, 'Third'))).status, 404)
      assert.equal((await app.get(url)).body.total, 0)
      assert.deepEqual(
        await eventsOf(app, id),
        ['created', 'changed', 'deleted'].map((verb) => `${name}.${verb}`),
      )
    })

    test(`${url}: the other generation sees, changes and deletes what is made here`, async () => {
      const app = await startEmpty(kind)
      const { id } = made(await app.post(url, sample(kind, 'Shared')))
      assert.equal((await app.get(`${other}/${id}`)).body[text], 'Shared')
      assert.equal((await app.get(other)).body.total, 1)
      assert.equal((await app.put(`${other}/${id}`, sample(kind, 'Renamed'))).status, 200)
      assert.equal((await app.get(`${url}/${id}`)).body[text], 'Renamed')
      assert.equal((await app.delete(`${other}/${id}`)).status, 204)
      assert.equal((await app.get(`${url}/${id}`)).status, 404)
    })

    test(`${url}: JSON, urlencoded and multipart bodies make the same ${name}`, async () => {
      const bodies = []
      for (const form of ['json', 'urlencoded', 'multipart']) {
        const app = await startEmpty(kind)
        const created = await app.call('POST', `${url}${shown(kind)}`, await formCall(kind, form))
        made(created)
        const { id: _id, created_on: _created, ...rest } = created.body
        bodies.push(rest)
      }
      assert.deepEqual(bodies[1], bodies[0])
      assert.deepEqual(bodies[2], bodies[0])
      for (const [field, value] of Object.entries(kind.whole.json))
        assert.deepEqual(bodies[0][field] ?? null, value, field)
    })

    test(`${url}: sending back what GET returned changes nothing and tells nobody`, async () => {
      const app = await startEmpty(kind)
      const { id } = made(await app.post(url, kind.whole.json))
      const read = await app.get(`${url}/${id}${shown(kind, 'environment', 'created_by', 'updated_by')}`)
      const again = await app.put(`${url}/${id}`, read.body)
      assert.equal(again.status, 200, again.text)
      assert.equal(again.body.changed_on, null)
      assert.match(again.headers.get('etag') ?? '', /^"1-/)
      assert.deepEqual(await eventsOf(app, id), [`${name}.created`])
    })

    test(`${url}: unknown names, missing names and wrong types are all named, and nothing is written`, async () => {
      const app = await startEmpty(kind)
      assert.deepEqual(faults(await app.post(url, sample(kind, 'x', { 'no such field': 1 }))), [
        'no such field',
      ])
      assert.ok(faults(await app.post(url, {})).includes(text))
      for (const body of [[], 'text', 7, null]) faults(await app.post(url, body))
      assert.deepEqual([...new Set(faults(await app.post(url, kind.wrong.body)))], kind.wrong.paths)
      for (const bad of ['', ' \n', 'x'.repeat(201), null, 7, true, ['a'], { a: 'b' }])
        assert.ok(faults(await app.post(url, sample(kind, bad as string))).includes(text), String(bad))
      assert.deepEqual(faults(await app.post(url, sample(kind, 'a\u0000b'))), [text])
      const { id } = made(await app.post(url, sample(kind, 'Kept')))
      assert.deepEqual([...new Set(faults(await app.put(`${url}/${id}`, kind.wrong.body)))], kind.wrong.paths)
      const { body } = await app.get(url)
      assert.equal(body.total, 1)
      assert.equal(body.items[0].changed_on, null)
    })
  }
}

const shown = (kind: RecordKind, ...more: string[]): string => {
  const names = [...(kind.expandable ?? []), ...more]
  return names.length > 0 ? `?fields=${names}` : ''
}

const formCall = async (kind: RecordKind, form: string) => {
  if (form === 'json') return { body: kind.whole.json }
  if (form === 'urlencoded')
    return {
      raw: new URLSearchParams(kind.whole.form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
  const fields = new FormData()
  for (const [key, value] of kind.whole.form) fields.append(key, value)
  const sent = new Response(fields)
  return {
    raw: Buffer.from(await sent.arrayBuffer()),
    headers: { 'content-type': sent.headers.get('content-type')! },
  }
}
