import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { transaction } from '../../database/transaction.ts'
import { NotFound } from '../../errors.ts'
import type { Routes } from '../../http/types.ts'
import { askForDemo } from './demo.ts'
import { builtStudio } from './files.ts'
import { contentPolicy } from './policy.ts'

const missing = 'The Studio is not built. Run `npm run build:studio` with the development packages installed.'

/** It is no part of the interface, so the documents do not tell of it. */
const hidden: object = { hide: true, querystring: Type.Object({}, { additionalProperties: true }) }
const Accepted = Type.Object({ status: Type.Literal('accepted') }, { title: 'DemoAccepted' })
const params = Type.Object({ name: Type.String() })

/** The management UI: one page, whatever the address, and the files that it names. */
export const studioRoutes: Routes = (app, context) => {
  let built: ReturnType<typeof builtStudio>
  /** Read when it is first asked for; a start does not wait for it. */
  const studio = () => {
    built ??= builtStudio()
    return built
  }
  const page = (_request: FastifyRequest, reply: FastifyReply) => sendPage(context, reply, studio()?.page)
  app.post(
    '/demo',
    {
      config: { scopes: ['tokens'] },
      schema: {
        summary: 'Fill an empty environment with the demo',
        description:
          'Channels, publications, an audience and more of a station that does not exist. It is loaded beside requests; a repeat is harmless.',
        response: { 202: Accepted },
      },
    },
    async ({ actor }, reply) => {
      await transaction(context, (tx) => askForDemo(tx, actor))
      return reply.code(202).send({ status: 'accepted' })
    },
  )

  for (const path of ['/studio', '/studio/*'])
    app.get(path, { config: { access: 'public' }, schema: hidden }, page as never)
  app.get(
    '/studio/assets/:name',
    { config: { access: 'public' }, schema: { ...hidden, params } },
    async (request, reply) => {
      const { name } = request.params
      const file = studio()?.asset(name)
      if (!file) throw new NotFound('Path', name)
      const brotli = takesBrotli(request) ? file.readBrotli : undefined
      reply.headers({ 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' })
      if (brotli) reply.header('Content-Encoding', 'br')
      return reply.type(file.type).send((await (brotli ?? file.read)()) as never)
    },
  )
}

const takesBrotli = ({ headers }: FastifyRequest): boolean =>
  /(^|[\s,])br\s*(,|$|;\s*q=(1|0\.0*[1-9]))/.test(String(headers['accept-encoding'] ?? ''))

const sendPage = ({ config }: Context, reply: FastifyReply, page: string | undefined) => {
  const nonce = randomBytes(18).toString('base64url')
  reply.headers({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': contentPolicy(config, nonce),
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  })
  return page === undefined
    ? reply.code(503).send(`<!doctype html><title>Marquee Studio</title><p>${missing}</p>`)
    : reply.send(page.replaceAll('__NONCE__', nonce))
}
