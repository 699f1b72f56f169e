import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { transaction } from '../../../src/database/transaction.ts'
import { scopes as allScopes, type Scope } from '../../../src/features/access/scopes.ts'
import { createUser } from '../../../src/features/access/users/commands.ts'
import { actorIn } from '../factories.ts'
import { absent, faults, generations, made, type RecordKind, sample, startEmpty } from './kind.ts'

export const checkSafety = (kind: RecordKind): void => {
  const { path, label, text } = kind
  const name = label.toLowerCase()

  for (const generation of generations) {
    const url = generation + path

    test(`${url}: each call needs its scopes, all of them and no others`, async () => {
      const app = await startEmpty(kind)
      const { id } = made(await app.post(url, sample(kind, 'Scoped')))
      const calls: [string, string, Scope[], number][] = [
        ['GET', url, kind.read, 200],
        ['GET', `${url}/${id}`, kind.read, 200],
        ['POST', url, kind.write, 201],
        ['PUT', `${url}/${id}`, kind.write, 200],
        ['DELETE', `${url}/${id}`, kind.remove, 204],
      ]
      for (const [method, target, needed, success] of calls) {
        const body = method === 'POST' || method === 'PUT' ? sample(kind, `By ${method}`) : undefined
        assert.equal((await app.call(method, target, { token: null, body })).status, 401)
        for (const missing of needed) {
          const scopes = allScopes.filter((scope) => scope !== missing)
          const refused = await app.call(method, target, { scopes, body })
          assert.deepEqual(
            [refused.status, refused.body.type],
            [403, 'InsufficientScope'],
            `${method} ${missing}`,
          )
        }
        const allowed = await app.call(method, target, { scopes: needed, body })
        assert.equal(allowed.status, success, `${method} ${allowed.text}`)
      }
    })

    test(`${url}: an id of another environment is answered as an absent one`, async () => {
      const app = await startEmpty(kind)
      const { id } = made(await app.post(url, sample(kind, 'Ours')))
      const stranger = await app.addToken({ environment: await app.addEnvironment() })
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const body = method === 'PUT' ? sample(kind, 'Taken over') : undefined
        const answers = []
        for (const one of [id, absent]) {
          const answer = await app.call(method, `${url}/${one}`, { token: stranger.value, body })
          const { dbtrace: _trace, ...rest } = answer.body
          answers.push({ status: answer.status, rest })
        }
        assert.equal(answers[0]!.status, 404)
        assert.deepEqual(answers[0], answers[1], method)
      }
      const foreign = await app.get(`${url}?id[eq]=${id}`, { token: stranger.value })
      assert.deepEqual([foreign.body.items, foreign.body.total], [[], 0])
      assert.equal((await app.get(`${url}/${id}`)).body[text], 'Ours')
    })

    test(`${url}: a stale If-Match is 412 and a known body 304`, async () => {
      const app = await startEmpty(kind)
      const { id } = made(await app.post(url, sample(kind, 'One')))
      const one = `${url}/${id}`
      const first = (await app.get(one)).headers.get('etag')!
      const held = await app.get(one, { headers: { 'if-none-match': first } })
      assert.deepEqual([held.status, held.text], [304, ''])
      const changed = await app.put(one, sample(kind, 'Two'), { headers: { 'if-match': first } })
      assert.equal(changed.status, 200)
      assert.equal((await app.get(one, { headers: { 'if-none-match': first } })).status, 200)
      const stale = { headers: { 'if-match': first } }
      assert.equal((await app.put(one, sample(kind, 'Three'), stale)).status, 412)
      assert.equal((await app.delete(one, stale)).status, 412)
      assert.deepEqual(
        faults(await app.put(one, sample(kind, 'Three'), { headers: { 'if-match': 'junk' } })),
        ['If-Match'],
      )
      const fresh = changed.headers.get('etag')!
      assert.equal((await app.get(one)).body[text], 'Two')
      assert.equal((await app.delete(one, { headers: { 'if-match': fresh } })).status, 204)
    })

    test(`${url}: 100 parallel posts with one Idempotency-Key make one ${name} and get one answer`, async () => {
      const app = await startEmpty(kind)
      const post = (body: object) => app.post(url, body, { headers: { 'idempotency-key': 'k-1' } })
      const answers = await Promise.all(Array.from({ length: 100 }, () => post(sample(kind, 'Once'))))
      assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [201])
      assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
      const fresh = answers.filter((answer) => !answer.headers.has('idempotency-replayed'))
      assert.equal(fresh.length, 1)
      assert.equal((await app.get(url)).body.total, 1)
      assert.deepEqual(faults(await post(sample(kind, 'Other')), 409), ['Idempotency-Key'])
    })

    test(`${url}: fields adds the environment and the users, and refuses unknown names`, async () => {
      const app = await startEmpty(kind)
      const by = actorIn(app)
      const email = `${randomUUID()}@example.org`
      const user = await transaction(app.context, (tx) =>
        createUser(tx, by, { email, name: 'Editor', password: null, role: 'editor' }),
      )
      const { value: token } = await app.addToken({ user_id: user.id })
      const { id } = made(await app.post(url, sample(kind, 'Mine'), { token }))
      const fields = 'environment,created_by{name},updated_by'
      for (const target of [`${url}/${id}?fields=${fields}`, `${url}?fields=${fields}`]) {
        const { status, body, text: raw } = await app.get(target)
        assert.equal(status, 200, raw)
        const record = body.items?.[0] ?? body
        assert.equal(record.environment.id, app.environment.id)
        assert.equal(record.environment.label, 'Environment')
        assert.deepEqual(record.created_by, { id: user.id, name: 'Editor' })
        assert.equal(record.updated_by, null)
        assert.equal(record[text], 'Mine')
      }
      const part = await app.get(`${url}/${id}?fields=environment{name,time_zone}`)
      const { id: environment, name: called, time_zone } = app.environment
      assert.deepEqual(part.body.environment, { id: environment, name: called, time_zone })
      for (const bad of ['secret', 'created_by{password_hash}', 'constructor', 'environment{', '}'])
        for (const target of [`${url}/${id}`, url])
          assert.ok(faults(await app.get(`${target}?fields=${bad}`)).includes('fields'), bad)
      assert.deepEqual(faults(await app.post(`${url}?fields=secret`, sample(kind, 'Not made'))), ['fields'])
      assert.equal((await app.get(url)).body.total, 1)
    })
  }
}
