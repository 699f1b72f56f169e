import type { IncomingMessage } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid } from '../errors.ts'

/** Bodies that nobody reads: of GET and HEAD, which take none, and of requests that are refused. */
export const handleUnreadBodies = (app: FastifyInstance): void => {
  // Parties that disagree on where such a request ends can be made to smuggle one, so its connection ends here.
  app.addHook('onRequest', async (request, reply) => {
    if (!takesNone(request) || !hasBody(request.raw)) return
    reply.header('Connection', 'close')
    throw invalid('', `a ${request.method} request takes no body`)
  })

  // Closing at once, as Fastify would, resets the connection before the sender has read the answer.
  app.addHook('onSend', async (request, reply) => {
    if (!hasBody(request.raw)) return
    if (!takesNone(request)) reply.removeHeader('connection')
    app.progress.rest(request.raw)
  })
}

const takesNone = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

const hasBody = (raw: IncomingMessage): boolean => {
  const { stream } = raw as unknown as { stream?: ServerHttp2Stream }
  if (stream) return !stream.endAfterHeaders
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}
