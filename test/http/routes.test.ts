import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { Type } from 'typebox'
import type { Config } from '../../src/config.ts'
import { acceptBodies } from '../../src/http/bodies.ts'
import { tellDeprecated } from '../../src/http/deprecation.ts'
import { handleErrors } from '../../src/http/errors.ts'
import { checkFraming } from '../../src/http/framing.ts'
import { defaultLimits } from '../../src/http/limits.ts'
import { shareWithOrigins } from '../../src/http/methods.ts'
import { watchProgress } from '../../src/http/progress.ts'
import { localStorage } from '../../src/storage/local.ts'

/** What routes may ask of our hooks, where none asks for it yet. */
const small = () => {
  const app = fastify({ exposeHeadRoutes: true })
  app.decorate('progress', watchProgress(defaultLimits))
  handleErrors(app)
  acceptBodies(app, localStorage('.'))
  shareWithOrigins(app, { corsOrigins: ['https://a.example'] } as Config)
  checkFraming(app)
  tellDeprecated(app)
  return app
}

test('a deprecated route tells since when, and cannot forget to', async () => {
  const app = small()
  app.get(
    '/old',
    { config: { deprecatedSince: '2026-09-01' }, schema: { deprecated: true } as object },
    async () => 'old',
  )
  app.get('/new', async () => 'new')
  assert.throws(
    () => app.get('/undated', { schema: { deprecated: true } as object }, async () => ''),
    /undated/,
  )
  assert.equal((await app.inject('/old')).headers.deprecation, '@1788220800')
  assert.equal((await app.inject('/new')).headers.deprecation, undefined)
})

test('reading takes a body only where the route says which', async () => {
  const app = small()
  const body = Type.Object({ event: Type.String() })
  app.get('/takes', { schema: { body } }, async (request) => request.body)
  app.get('/takes-none', async () => 'none')
  const payload = { event: 'publication.changed' }
  assert.deepEqual((await app.inject({ method: 'GET', url: '/takes', payload })).json(), payload)
  assert.equal((await app.inject({ method: 'GET', url: '/takes', payload: {} })).statusCode, 400)
  assert.equal((await app.inject({ method: 'GET', url: '/takes-none', payload })).statusCode, 400)
  const typed = { 'content-type': 'text/plain' }
  for (const method of ['GET', 'HEAD'] as const)
    assert.equal((await app.inject({ method, url: '/takes-none', headers: typed })).statusCode, 200, method)
})

test('Vary keeps what a route says beside the origin', async () => {
  const app = small()
  app.get('/varied', async (_request, reply) => reply.header('Vary', 'Accept').send('varied'))
  app.get('/plain', async () => 'plain')
  assert.equal((await app.inject('/varied')).headers.vary, 'Accept, Origin')
  assert.equal((await app.inject('/plain')).headers.vary, 'Origin')
})
