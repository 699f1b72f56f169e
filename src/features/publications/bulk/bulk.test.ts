import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addChannel, addModel } from '../../../../test/harness/factories.ts'
import {
  addPublication,
  changePublication,
  readPublication,
  storedVersions,
  text,
} from '../../../../test/harness/publications.ts'
import { absent, eventsOf, faults } from '../../../../test/harness/records/kind.ts'

const put = '/publications/bulk/put'
const remove = '/publications/bulk/delete'
const archived = { status: { 'en-US': { body: 'Archived' } } }

const addMany = async (app: TestApp, count: number, more: object = {}): Promise<string[]> => {
  const ids: string[] = []
  for (let made = 0; made < count; made += 1)
    ids.push((await addPublication(app, { 'en-US': { title: text(`Number ${made}`) } }, more)).id)
  return ids
}

type Operation = { id: string; status: string; matched: number; processed: number; failed: number }

/** The operation when it has ended. */
const ended = (app: TestApp, { id }: Operation): Promise<Operation & Record<string, unknown>> =>
  eventually(async () => {
    const { body } = await app.get(`/bulk_operations/${id}?fields=errors`)
    return !['pending', 'running'].includes(body.status) && body
  }, 20_000)

const run = async (app: TestApp, answer: { status: number; text: string; body: Operation }) => {
  assert.equal(answer.status, 202, answer.text)
  return ended(app, answer.body)
}

const statusOf = async (app: TestApp, id: string): Promise<string> =>
  (await readPublication(app, id)).status['en-US'].body

test('a bulk put changes all that match, with one version and one event each, and nothing else', async () => {
  const app = await startApp()
  const channel = await addChannel(app)
  const inside = await addMany(app, 3, { channels: [{ id: channel.id }] })
  const [outside] = await addMany(app, 1)
  const elsewhere = await app.addEnvironment()
  const other = (await app.addToken({ environment: elsewhere })).value
  const theirs = await addPublication(app, undefined, {}, { token: other })
  const answer = await app.put(`${put}?channels[eq]=${channel.id}`, archived)
  assert.deepEqual([answer.body.kind, answer.body.matched, answer.body.label], ['put', 3, 'BulkOperation'])
  assert.equal(answer.headers.get('location'), `/bulk_operations/${answer.body.id}`)
  const done = await run(app, answer)
  assert.deepEqual([done.status, done.processed, done.failed, done.errors], ['done', 3, 0, []])
  for (const id of inside) {
    assert.equal(await statusOf(app, id), 'Archived')
    const versions = await storedVersions(app, id)
    assert.deepEqual(
      versions.map(({ bulk_operation_id }) => bulk_operation_id),
      [null, answer.body.id],
    )
    await eventually(async () => (await eventsOf(app, id)).length === 2)
    assert.deepEqual(await eventsOf(app, id), ['publication.created', 'publication.changed'])
  }
  assert.equal(await statusOf(app, outside!), 'To do')
  const { body } = await app.get(`/publications/${theirs.id}`, { token: other })
  assert.equal(body.status['en-US'].body, 'To do')
  assert.equal((await app.get(`/bulk_operations/${answer.body.id}`, { token: other })).status, 404)
  assert.equal((await app.get('/bulk_operations', { token: other })).body.total, 0)
  assert.equal((await app.get('/bulk_operations?kind[eq]=put&status[eq]=done')).body.total, 1)
})

test('a filter under "filter" in the body does the same, with a locale', async () => {
  const app = await startApp()
  const [english] = await addMany(app, 1)
  const dutch = await addPublication(app, { 'nl-NL': { title: text('Nummer') } })
  const filter = { locale: 'nl-NL', status: [{ eq: 'To do' }] }
  const done = await run(app, await app.put(put, { ...{ publish_on: { 'nl-NL': '2027-01-01' } }, filter }))
  assert.deepEqual([done.matched, done.failed], [1, 0])
  assert.match((await readPublication(app, dutch.id)).publish_on['nl-NL'], /^2027/)
  assert.equal((await storedVersions(app, english!)).length, 1)
})

test('a dry run tells what would be done and does nothing; its plan is refused when the set has changed', async () => {
  const app = await startApp()
  const ids = await addMany(app, 3)
  const dry = await app.put(`${put}?status[eq]=To do&dry_run=true`, archived)
  assert.equal(dry.status, 200, dry.text)
  const { plan, ...rest } = dry.body
  assert.deepEqual(rest, {
    label: 'BulkOperation',
    kind: 'put',
    status: 'planned',
    matched: 3,
    ids: [...ids].sort(),
  })
  assert.equal((await app.get('/bulk_operations')).body.total, 0)
  assert.equal((await app.put(`${put}?status[eq]=To do&dry_run=true`, archived)).body.plan, plan)
  await changePublication(app, ids[1]!, { items: { 'en-US': { title: text('Edited') } } })
  const stale = { ...archived, plan }
  assert.deepEqual(faults(await app.put(`${put}?status[eq]=To do`, stale), 409), ['plan'])
  const again = await app.put(`${put}?status[eq]=To do&dry_run=1`, archived)
  assert.notEqual(again.body.plan, plan)
  await addMany(app, 1)
  assert.equal((await app.put(`${put}?status[eq]=To do&plan=${again.body.plan}`, archived)).status, 409)
  assert.equal((await app.get('/bulk_operations')).body.total, 0)
  const { body } = await app.put(`${put}?status[eq]=To do&dry_run=true`, archived)
  const done = await run(app, await app.put(`${put}?status[eq]=To do&plan=${body.plan}`, archived))
  assert.equal(done.processed, 4)
})

test('without a filter, with an empty or a misspelt one nothing is touched', async () => {
  const app = await startApp()
  const [id] = await addMany(app, 1)
  const cases: [string, object | null | undefined, string[]][] = [
    ['', {}, ['filter']],
    ['', { filter: {} }, ['filter']],
    ['', { filter: null }, ['filter']],
    ['?all=false', {}, ['filter']],
    ['', { filter: { status: [] } }, ['filter.status']],
    ['', { filter: { status: {} } }, ['filter.status']],
    ['', { filter: { status: null, model: { eq: absent } } }, ['filter.status']],
    ['', { filter: { id: { in: [] } } }, ['filter.id.in']],
    ['', { filter: { or: [] } }, ['filter.or']],
    ['', { filter: { or: [{}] } }, ['filter.or.0']],
    ['', { filter: { locale: null } }, ['filter.locale']],
    ['?q=', {}, ['q']],
    ['?statsu[eq]=Done', {}, ['statsu']],
    ['?status[is]=Done', {}, ['status.is']],
    ['?status=Done', {}, ['status']],
    ['?dryrun=true&status[eq]=To do', {}, ['dryrun']],
    ['?dry_run=maybe&status[eq]=To do', {}, ['dry_run']],
    ['?limit=5', {}, ['limit']],
    ['?locale=xx-XX', {}, ['locale']],
    ['?status[eq]=To do', { filter: { status: { eq: 'Done' } } }, ['filter']],
    ['?all=true&status[eq]=To do', {}, ['all']],
    ['', { filter: 'status', all: true }, ['filter']],
  ]
  for (const [query, body, paths] of cases) {
    const named = (answer: Parameters<typeof faults>[0]) => [...new Set(faults(answer))]
    assert.deepEqual(named(await app.post(remove + query, body)), paths, `${query} ${JSON.stringify(body)}`)
    assert.deepEqual(named(await app.put(put + query, { ...archived, ...body })), paths, query)
  }
  assert.deepEqual(faults(await app.post(remove)), ['filter'])
  assert.equal((await app.get('/bulk_operations')).body.total, 0)
  assert.equal(await statusOf(app, id!), 'To do')
  const done = await run(app, await app.post(`${remove}?all=true`, {}))
  assert.deepEqual([done.matched, done.processed], [1, 1])
})

test('what is wrong for every publication is told at once and touches none', async () => {
  const app = await startApp()
  const model = await addModel(app, { fields: [{ api_id: 'title', label: 'Text', required: true }] })
  const [id] = await addMany(app, 2, { model: { id: model.id } })
  const wrong = {
    status: { 'en-US': { body: 'Dnoe' }, 'xx-XX': { body: 'Done' } },
    publish_on: { 'en-US': 'tomorrow' },
    channels: [{ id: absent }],
    assigned_to: { 'en-US': { id: absent } },
    items: { 'en-US': { title: { label: 'Integer', value: 1 }, other: text('x') } },
    nonsense: 1,
  }
  const paths = [
    'assigned_to.en-US.id',
    'channels.0.id',
    'items.en-US.other',
    'items.en-US.title.label',
    'nonsense',
    'publish_on.en-US',
    'status.en-US.body',
    'status.xx-XX',
  ]
  const answer = await app.put(`${put}?model[eq]=${model.id}`, wrong)
  assert.deepEqual(faults(answer), paths, answer.text)
  assert.deepEqual(faults(await app.put(`${put}?model[eq]=${model.id}`, {})), [''])
  assert.equal(await statusOf(app, id!), 'To do')
  const done = await run(
    app,
    await app.put(`${put}?model[eq]=${model.id}`, { status: { 'en-US': { body: 'Done' } } }),
  )
  assert.deepEqual([done.processed, done.failed], [2, 0])
})

test('a publication that cannot be changed is listed with its reason, and the others are changed', async () => {
  const app = await startApp()
  const strict = await addModel(app, {
    fields: [
      { api_id: 'title', label: 'Text' },
      { api_id: 'lead', label: 'Text', required: true },
    ],
  })
  const free = await addMany(app, 2)
  const [bound] = await addMany(app, 1, { model: { id: strict.id } })
  const body = { status: { 'en-US': { body: 'Done' } } }
  const done = await run(app, await app.put(`${put}?all=true`, body))
  assert.deepEqual([done.status, done.matched, done.processed, done.failed], ['done', 3, 3, 1])
  const message = 'is required where the status is Done'
  assert.deepEqual(done.errors, [{ id: bound, errors: [{ path: 'items.en-US.lead', message }] }])
  for (const id of free) assert.equal(await statusOf(app, id), 'Done')
  assert.equal(await statusOf(app, bound!), 'To do')
})

test('slugs that only one publication can have fail for the others, told by PostgreSQL or not', async () => {
  const app = await startApp()
  await addMany(app, 3)
  const done = await run(app, await app.put(`${put}?all=true`, { slug: { 'en-US': 'the-one' } }))
  assert.deepEqual([done.processed, done.failed], [3, 2])
  const { body } = await app.get('/publications?locale=en-US&slug[eq]=the-one')
  assert.equal(body.total, 1)
})

test('a bulk delete moves what matches to the trash, and its undo brings it back', async () => {
  const app = await startApp()
  const ids = await addMany(app, 3)
  await changePublication(app, ids[2]!, archived)
  const deleted = await run(app, await app.post(remove, { filter: { status: { eq: 'To do' } } }))
  assert.deepEqual([deleted.matched, deleted.processed, deleted.failed], [2, 2, 0])
  assert.equal((await app.get('/publications')).body.total, 1)
  await app.post(`/publications/${ids[0]}/restore`)
  await changePublication(app, ids[0]!, { items: { 'en-US': { title: text('Edited') } } })
  const undone = await run(app, await app.post(`/bulk_operations/${deleted.id}/undo`))
  assert.deepEqual([undone.kind, undone.undoes, undone.matched], ['undo', deleted.id, 2])
  assert.deepEqual(undone.errors, [{ id: ids[0], errors: [{ path: 'version', message: 'edited since' }] }])
  assert.equal((await readPublication(app, ids[1]!)).items['en-US'].title.body, 'Number 1')
  assert.equal((await readPublication(app, ids[0]!)).items['en-US'].title.body, 'Edited')
  assert.equal((await app.get('/publications')).body.total, 3)
})

test('undo puts back what a bulk put changed, once, and passes over what was edited or deleted since', async () => {
  const app = await startApp()
  const ids = await addMany(app, 4)
  const change = { ...archived, items: { 'en-US': { title: text('All the same') } } }
  const changed = await run(app, await app.put(`${put}?all=true`, change))
  await changePublication(app, ids[1]!, { items: { 'en-US': { title: text('Edited') } } })
  await app.delete(`/publications/${ids[2]}`)
  const url = `/bulk_operations/${changed.id}/undo`
  const undone = await run(app, await app.post(url))
  assert.deepEqual([undone.matched, undone.processed, undone.failed], [4, 4, 2])
  const skipped = (undone.errors as { id: string; errors: object[] }[]).map(({ id, errors }) => [id, errors])
  const since = [{ path: 'version', message: 'edited since' }]
  assert.deepEqual(
    skipped,
    [ids[1]!, ids[2]!].sort().map((id) => [id, since]),
  )
  for (const index of [0, 3]) {
    const { items, status } = await readPublication(app, ids[index]!)
    assert.deepEqual([items['en-US'].title.body, status['en-US'].body], [`Number ${index}`, 'To do'])
  }
  assert.equal((await readPublication(app, ids[1]!)).items['en-US'].title.body, 'Edited')
  assert.equal((await app.post(url)).status, 409)
  assert.equal((await app.post(`/bulk_operations/${undone.id}/undo`)).status, 409)
  assert.equal((await app.post(`/bulk_operations/${absent}/undo`)).status, 404)
})

test('undo tells what is no longer kept, and is not for tokens that see only what is published', async () => {
  const app = await startApp()
  const [id] = await addMany(app, 1)
  const changed = await run(app, await app.put(`${put}?all=true`, archived))
  await sql`delete from publication_versions where publication_id = ${id} and version = 1`.execute(
    app.context.db,
  )
  const url = `/bulk_operations/${changed.id}/undo`
  const { value: token } = await app.addToken({ visibility: 'published' })
  const refused = await app.post(url, undefined, { token })
  assert.deepEqual([refused.status, refused.body.type], [403, 'PublishedOnly'])
  const undone = await run(app, await app.post(url))
  assert.deepEqual(undone.errors, [{ id, errors: [{ path: 'version', message: 'is no longer kept' }] }])
})

test('a call that is sent twice with one Idempotency-Key is one operation', async () => {
  const app = await startApp()
  await addMany(app, 1)
  const headers = { 'idempotency-key': 'twice' }
  const [one, two] = [
    await app.post(`${remove}?all=true`, {}, { headers }),
    await app.post(`${remove}?all=true`, {}, { headers }),
  ]
  assert.deepEqual([one.status, two.status, two.body.id], [202, 202, one.body.id])
  const done = await ended(app, one.body)
  const again = { 'idempotency-key': 'again' }
  const undo = `/bulk_operations/${done.id}/undo`
  const first = await app.call('POST', undo, { headers: again })
  assert.equal((await app.call('POST', undo, { headers: again })).body.id, first.body.id)
  await ended(app, first.body)
})

test('a token that sees only what is published changes only that', async () => {
  const app = await startApp()
  const [open] = await addMany(app, 1)
  const [seen] = await addMany(app, 1, { status: { 'en-US': { body: 'Done' } } })
  const { value: token } = await app.addToken({ visibility: 'published' })
  const answer = await app.put(`${put}?all=true`, { publish_on: { 'en-US': '2020-01-01' } }, { token })
  assert.equal(answer.body.matched, 1)
  await ended(app, answer.body)
  assert.deepEqual(
    [(await storedVersions(app, open!)).length, (await storedVersions(app, seen!)).length],
    [1, 2],
  )
})

test('all scopes are needed: bulk without publish or delete is not enough', async () => {
  const app = await startApp()
  const scopes = ['publications', 'publications_bulk']
  assert.equal((await app.put(`${put}?all=true`, archived, { scopes })).status, 403)
  assert.equal((await app.post(`${remove}?all=true`, {}, { scopes })).status, 403)
  const without = ['publications', 'publications_publish', 'publications_delete']
  assert.equal((await app.put(`${put}?all=true`, archived, { scopes: without })).status, 403)
  const { body } = await app.put(`${put}?all=true`, archived)
  assert.equal((await app.get('/bulk_operations', { scopes: without })).body.total, 0)
  assert.equal((await app.get(`/bulk_operations/${body.id}`, { scopes: without })).status, 404)
})

test('in a form the filter stands in brackets', async () => {
  const app = await startApp()
  const [id] = await addMany(app, 1)
  const raw = 'status[en-US][body]=Archived&filter[status][eq]=To+do&dry_run='
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await app.call('PUT', put, { raw: raw.replace('&dry_run=', ''), headers })
  await run(app, answer)
  assert.equal(await statusOf(app, id!), 'Archived')
})

test('nothing of an operation stays behind but what failed', async () => {
  const app = await startApp()
  await addMany(app, 2)
  const done = await run(app, await app.put(`${put}?all=true`, archived))
  const { rows } = await sql`select 1 from bulk_operation_records where operation_id = ${done.id}`.execute(
    app.context.db,
  )
  assert.deepEqual(rows, [])
})
