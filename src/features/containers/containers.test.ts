import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { addContainer } from '../../../test/harness/factories.ts'
import { checkRecords } from '../../../test/harness/records.ts'

checkRecords({
  path: '/containers',
  label: 'Container',
  table: 'containers',
  text: 'body',
  slug: true,
  read: [],
  write: ['containers_publish'],
  remove: ['containers_publish'],
  whole: {
    json: { body: 'Elections', slug: 'vote', description: 'All about\r\nthe vote' },
    form: [
      ['body', 'Elections'],
      ['slug', 'vote'],
      ['description', 'All about\r\nthe vote'],
    ],
  },
  expandable: ['description'],
  wrong: {
    body: { body: [], slug: {}, description: 5, other: null },
    paths: ['body', 'description', 'other', 'slug'],
  },
})

test('a container may have no description; it is shown on request, taken away by null and kept otherwise', async () => {
  const app = await startApp()
  const { id } = await addContainer(app, { body: 'Elections', description: 'The vote' })
  for (const url of [`/containers/${id}`, `/v5/containers/${id}`]) {
    assert.equal('description' in (await app.get(url)).body, false)
    assert.equal((await app.get(`${url}?fields=description`)).body.description, 'The vote')
  }
  const shown = `/containers/${id}?fields=description`
  assert.equal((await app.put(shown, { body: 'Vote' })).body.description, 'The vote')
  assert.equal((await app.put(shown, { description: null })).body.description, null)
})

test('two containers may have the same body', async () => {
  const app = await startApp()
  const first = await addContainer(app, { body: 'Elections' })
  const second = await app.post('/containers', { body: 'Elections' })
  assert.equal(second.status, 201)
  assert.deepEqual([first.slug, second.body.slug], ['elections', 'elections-2'])
})
