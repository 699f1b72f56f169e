import type { IncomingMessage } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid } from '../errors.ts'
import { atOnce, inPassing } from './hooks.ts'

/** Where a request ends and whom it is meant for must not be open to opinion; bodies that nobody wants are read. */
export const checkFraming = (app: FastifyInstance): void => {
  for (const method of ['GET', 'HEAD']) app.addHttpMethod(method, { hasBody: true, overrideExisting: true })
  // A proxy that reads such a request otherwise can be made to smuggle another one, so the connection ends here.
  app.addHook(
    'onRequest',
    atOnce((request, reply) => {
      const stray = takesNone(request) && hasBody(request.raw)
      // Without a body a type says nothing, and must not be refused.
      if (reads(request) && !hasBody(request.raw)) delete request.headers['content-type']
      if (!stray && !hasTwoHosts(request.raw)) return
      if (request.raw.httpVersionMajor === 1) reply.header('Connection', 'close')
      throw stray
        ? invalid('', `a ${request.method} request takes no body`)
        : invalid('Host', 'is sent twice')
    }),
  )

  // Closing at once, as Fastify would, resets the connection before the sender has read the answer.
  app.addHook(
    'onSend',
    inPassing((request, reply) => {
      if (!takesNone(request)) reply.removeHeader('connection')
      if (hasBody(request.raw)) app.progress.rest(request.raw)
    }),
  )
}

const reads = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'
/** Reading takes no body, except where a route says which. */
const takesNone = (request: FastifyRequest): boolean => reads(request) && !request.routeOptions.schema?.body

export const hasBody = (raw: IncomingMessage): boolean => {
  const { stream } = raw as unknown as { stream?: ServerHttp2Stream }
  if (stream) return !stream.endAfterHeaders
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}

const hasTwoHosts = ({ rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}
