import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../../test/harness/access.ts'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addChannel, addContainer, addModel, addTag } from '../../../../test/harness/factories.ts'
import {
  addPublication,
  readPublication,
  storedVersions,
  text,
} from '../../../../test/harness/publications.ts'
import { unlink } from './unlink.ts'

const total = async (app: TestApp, query: string): Promise<number> => {
  const { body, text: answer, status } = await app.get(`/publications?${query}`)
  assert.equal(status, 200, answer)
  return body.total
}

const ids = (list: { id: string }[]): string[] => list.map(({ id }) => id)

test('a channel or container that is deleted is unlinked, without a version', async () => {
  const app = await startApp()
  const [channel, other, container] = [await addChannel(app), await addChannel(app), await addContainer(app)]
  const links = { channels: [{ id: channel.id }, { id: other.id }], containers: [{ id: container.id }] }
  const { id } = await addPublication(app, undefined, links)
  const apart = await addPublication(app, undefined, { channels: [{ id: other.id }] })
  assert.equal(await total(app, `channels[eq]=${channel.id}`), 1)
  assert.equal((await app.delete(`/channels/${channel.id}`)).status, 204)
  assert.equal((await app.delete(`/containers/${container.id}`)).status, 204)
  const after = await eventually(async () => {
    const { rows } = await sql<{
      channel_ids: string[]
      container_ids: string[]
    }>`select channel_ids, container_ids
      from publications where id = ${id}`.execute(app.context.db)
    return rows[0]!.channel_ids.length === 1 && rows[0]!.container_ids.length === 0 && rows[0]
  })
  assert.deepEqual(after.channel_ids, [other.id])
  assert.equal(await total(app, `channels[eq]=${channel.id}`), 0)
  assert.equal(await total(app, `containers[eq]=${container.id}&locale=en-US`), 0)
  assert.equal(await total(app, `channels[eq]=${other.id}`), 2)
  assert.equal((await storedVersions(app, id)).length, 1)
  const shown = await readPublication(app, id, 'fields=channels')
  assert.deepEqual([ids(shown.channels), shown.changed_on], [[other.id], null])
  assert.deepEqual(ids((await readPublication(app, apart.id, 'fields=channels')).channels), [other.id])
})

test('a tag that is deleted goes out of the content of every locale, and the others stay', async () => {
  const app = await startApp()
  const [gone, kept] = [await addTag(app), await addTag(app)]
  const model = await addModel(app, {
    fields: [
      { api_id: 'title', label: 'Text' },
      { api_id: 'tags', label: 'TagBox' },
      { api_id: 'box', label: 'ElementBox' },
    ],
  })
  const only = { items: [{ id: gone.id }] }
  const items = {
    'en-US': { title: text('One'), tags: { items: [{ id: gone.id }, { id: kept.id }] } },
    'nl-NL': { title: text('Een'), tags: only, box: { items: [{ label: 'TagBox', ...only }] } },
  }
  const { id } = await addPublication(app, items, { model: { id: model.id } })
  assert.equal(await total(app, 'tags[has]=true&locale=nl-NL'), 1)
  assert.equal((await app.delete(`/tags/${gone.id}`)).status, 204)
  await eventually(async () => {
    const { rows } = await sql<{ found: boolean }>`select exists (select 1 from publication_locales
      where id = ${id} and items::text like ${`%${gone.id}%`}) as found`.execute(app.context.db)
    return !rows[0]!.found
  })
  assert.equal(await total(app, `tags[eq]=${gone.id}`), 0)
  assert.equal(await total(app, `tags[eq]=${kept.id}`), 1)
  assert.equal(await total(app, 'tags[has]=true&locale=nl-NL'), 0)
  const { items: shown } = await readPublication(app, id)
  assert.deepEqual(ids(Object.values(shown['en-US'].tags.items)), [kept.id])
})

test('unlinking goes over any number in small steps, and a repeat finds nothing to do', async () => {
  const app = await startApp()
  const channel = await addChannel(app)
  const links = { channels: [{ id: channel.id }] }
  for (let made = 0; made < 110; made += 10)
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        addPublication(app, { 'en-US': { title: text(`Number ${made + index}`) } }, links),
      ),
    )
  const gone = { kind: 'channel' as const, id: channel.id, environment_id: app.environment.id }
  await unlink(app.context, gone)
  await unlink(app.context, gone)
  assert.equal(await total(app, `channels[eq]=${channel.id}`), 0)
  const { rows } = await sql`select 1 from publications
    where environment_id = ${app.environment.id} and cardinality(channel_ids) > 0`.execute(app.context.db)
  assert.deepEqual(rows, [])
})

test('a model that changes what is the title, searched or filterable is followed by its publications', async () => {
  const app = await startApp()
  const fields = [
    { api_id: 'lead', label: 'Text' as const },
    { api_id: 'rank', label: 'Integer' as const, filterable: false },
  ]
  const model = await addModel(app, { fields })
  const items = { 'en-US': { lead: text('Morning'), rank: { value: 7 } } }
  const { id } = await addPublication(app, items, { model: { id: model.id } })
  const found = `model[eq]=${model.id}&items.en-US.rank[gt]=5`
  const change = (sent: object[]) => app.put(`/publication_models/${model.id}`, { fields: sent })
  assert.equal((await change([fields[0]!, { ...fields[1]!, filterable: true }])).status, 200)
  await eventually(async () => {
    const answer = await app.get(`/publications?${found}`)
    return answer.status === 200 && answer.body.total === 1
  })
  assert.equal(await total(app, 'q=morning&locale=en-US'), 1)
  assert.equal((await change([{ ...fields[1]!, filterable: true }])).status, 200)
  await eventually(async () => (await total(app, 'q=morning&locale=en-US')) === 0)
  assert.equal((await readPublication(app, id, 'fields=title')).title['en-US'], null)
  assert.equal((await change([{ ...fields[0]! }, { ...fields[1]! }])).status, 200)
  await eventually(async () => (await total(app, 'q=morning&locale=en-US')) === 1)
  assert.equal((await readPublication(app, id, 'fields=title')).title['en-US'], 'Morning')
  const { rows } = await sql`select 1 from publication_values where id = ${id}`.execute(app.context.db)
  assert.deepEqual(rows, [])
  assert.equal((await storedVersions(app, id)).length, 1)
})

test('without a locale publications sort by the default one, also when that becomes another', async () => {
  const app = await startApp()
  const both = (en: string, nl: string) =>
    addPublication(
      app,
      { 'en-US': { title: text('One') }, 'nl-NL': { title: text('Een') } },
      { publish_on: { 'en-US': en, 'nl-NL': nl } },
    )
  const [first, second] = [await both('2020-01-01', '2022-01-01'), await both('2021-01-01', '2021-01-01')]
  const single = await addPublication(
    app,
    { 'en-US': { title: text('Only') } },
    { publish_on: { 'en-US': '2019-01-01' } },
  )
  const order = async () => ids((await app.get('/publications?sort=publish_on')).body.items)
  assert.deepEqual(await order(), [single.id, first.id, second.id])
  const { value: token } = await app.addToken({ kind: 'organisation', environment: app.environment })
  const headers = { 'environment-id': app.environment.id }
  const url = `/environments/${app.environment.id}`
  const changed = await app.put(url, { default_locale: 'nl-NL' }, { token, headers })
  assert.equal(changed.status, 200, changed.text)
  await eventually(async () => (await order())[0] === second.id)
  assert.deepEqual(await order(), [second.id, first.id, single.id])
})
