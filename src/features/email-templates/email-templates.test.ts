import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser, openStudio } from '../../../test/harness/access.ts'
import { startApp } from '../../../test/harness/app.ts'
import { absent, eventsOf, faults, made } from '../../../test/harness/records/kind.ts'
import { renderHtml, renderLine, renderText, variables } from './render.ts'

const template = {
  name: 'Sign-in',
  subject: 'Sign in',
  html: '<a href="{{link}}">Hello {{ first_name }}</a>',
}

test('templates are made, listed, changed and deleted, and each change is told', async () => {
  const app = await startApp()
  const answer = await app.post('/email_templates', template)
  const { id } = made(answer)
  const { created_on: _, ...rest } = answer.body
  assert.deepEqual(rest, { id, changed_on: null, label: 'EmailTemplate', ...template, text: null })
  assert.equal((await app.get(`/email_templates/${id}`)).body.html, template.html)
  const changed = await app.put(`/email_templates/${id}`, { ...answer.body, text: '{{link}}', name: 'Other' })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual([changed.body.text, changed.body.html], ['{{link}}', template.html])
  const listed = await app.get('/email_templates?name[eq]=Other')
  assert.deepEqual([listed.body.total, listed.body.items[0].id], [1, id])
  const stale = { headers: { 'if-match': answer.headers.get('etag')! } }
  assert.equal((await app.delete(`/email_templates/${id}`, stale)).status, 412)
  assert.equal((await app.delete(`/email_templates/${id}`)).status, 204)
  assert.equal((await app.get(`/email_templates/${id}`)).status, 404)
  assert.deepEqual(
    await eventsOf(app, id),
    ['created', 'changed', 'deleted'].map((verb) => `email_template.${verb}`),
  )
})

test('every variable that there is not is named, with all else that is wrong', async () => {
  const app = await startApp()
  const post = (body: object) => app.post('/email_templates', { ...template, ...body })
  const all = variables.map((name) => `{{${name}}}`).join()
  made(await post({ subject: all, html: all, text: all }))
  const wrong = await post({
    name: 1,
    subject: '{{password}}',
    html: '{{#if x}}{{link}}{{/if}}{{constructor}}{{link.constructor}}{{ }}',
    text: '{{link',
    more: 1,
  })
  const errors = wrong.body.errors as { path: string; message: string }[]
  assert.deepEqual(faults(wrong), [
    ...['html', 'html', 'html', 'html', 'html'],
    ...['more', 'name', 'subject', 'text'],
  ])
  for (const name of ['password', '#if x', '/if', 'constructor', 'link.constructor', ''])
    assert.ok(
      errors.some(({ message }) => message.includes(JSON.stringify(name))),
      name,
    )
  assert.deepEqual(
    faults(await post({ html: '<p>Hello' })),
    ['html'],
    'a letter without the link is of no use',
  )
  assert.deepEqual(faults(await post({ subject: 'a\r\nBcc: b@example.org' })), ['subject'])
  const { id } = made(await post({ name: 'Kept' }))
  assert.deepEqual(faults(await app.put(`/email_templates/${id}`, { html: '{{x}}' })), ['html', 'html'])
  assert.equal((await app.get(`/email_templates/${id}`)).body.html, template.html)
})

test('a name is taken once in an environment', async () => {
  const app = await startApp()
  made(await app.post('/email_templates', template))
  assert.deepEqual(faults(await app.post('/email_templates', template), 409), ['name'])
  const other = await app.addToken({ environment: await app.addEnvironment() })
  made(await app.post('/email_templates', template, { token: other.value }))
})

test('templates are for who manages: the scope tokens, or the session of an owner or admin', async () => {
  const app = await startApp()
  const { id } = made(await app.post('/email_templates', template, { scopes: ['tokens'] }))
  const few = { scopes: ['publications', 'persons', 'persons_publish'] }
  assert.equal((await app.get('/email_templates', few)).status, 403)
  assert.equal((await app.put(`/email_templates/${id}`, { name: 'x' }, few)).status, 403)
  const statuses = []
  for (const role of ['owner', 'admin', 'editor', 'viewer'] as const) {
    const { token } = await openStudio(app, await addUser(app, role))
    statuses.push((await app.get(`/email_templates/${id}`, { token })).status)
  }
  assert.deepEqual(statuses, [200, 200, 403, 403])
})

test('a template of another environment is not there', async () => {
  const app = await startApp()
  const { id } = made(await app.post('/email_templates', template))
  const { value: token } = await app.addToken({ environment: await app.addEnvironment() })
  for (const method of ['GET', 'PUT', 'DELETE'])
    for (const one of [id, absent]) {
      const body = method === 'PUT' ? { name: 'x' } : undefined
      assert.equal((await app.call(method, `/email_templates/${one}`, { token, body })).status, 404)
    }
  assert.equal((await app.get('/email_templates', { token })).body.total, 0)
})

test('values are escaped in HTML, keep to one line in a subject, and are never read as a template', () => {
  const values = {
    link: 'https://x.example/?a=1&b=2',
    email: 'a@b.c',
    first_name: `<b onclick="x">'&{{link}}$&`,
    last_name: 'a\r\nBcc: d@e.f\u2028g',
    environment: 'E',
    minutes: '15',
  }
  const escaped = '&lt;b onclick=&quot;x&quot;&gt;&#39;&amp;{{link}}$&amp;'
  assert.equal(renderHtml('<i>{{first_name}}</i>', values), `<i>${escaped}</i>`)
  assert.equal(renderHtml('{{link}}', values), 'https://x.example/?a=1&amp;b=2')
  assert.equal(renderLine('Hi {{ last_name }}', values), 'Hi a Bcc: d@e.f g')
  assert.equal(renderText('{{first_name}} {{minutes}}', values), `${values.first_name} 15`)
})
