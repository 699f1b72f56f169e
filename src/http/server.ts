import { createServer, METHODS, type RequestListener, type Server } from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Context } from '../context.ts'
import { buildApp } from './app.ts'
import { badRequest } from './bad-request.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { watchSessions } from './sessions.ts'

export type Listening = { port: number; httpPort: number; close(): Promise<void> }
type Tls = { cert: string; key: string }

const maxHeaderSize = 32_768

/** Heads are timed here; bodies and unread responses by `progress.ts`. */
const timesOf = (limits: Limits) => ({
  headersTimeout: limits.headers,
  requestTimeout: 0,
  keepAliveTimeout: limits.idle,
  connectionsCheckingInterval: limits.look,
  maxHeaderSize,
  insecureHTTPParser: false,
})

/** TLS with HTTP/2 and HTTP/1.1 on one port, and the plain listener beside it; both lead to the same routes. */
export const listen = async (
  context: Context,
  tls: Tls,
  options: Partial<Limits> = {},
): Promise<Listening> => {
  const { config } = context
  const limits = { ...defaultLimits, ...options }
  let secure: Server | undefined
  let plain: Server | undefined
  let sessions: ReturnType<typeof watchSessions> | undefined
  const app = await buildApp(context, limits, (handler) => {
    const made = secureServer(handler, tls, limits)
    secure = made.server as unknown as Server
    sessions = made.sessions
    plain = createServer(timesOf(limits), handler as RequestListener)
    return secure as never
  })
  plain!.on('clientError', badRequest)
  for (const server of [secure!, plain!]) server.timeout = limits.idle
  const host = config.host ?? '::'
  try {
    await app.listen({
      port: config.port,
      host,
      listenTextResolver: (at) => `listening on ${at.replace(/^http:/, 'https:')}`,
    })
    await bind(plain!, config.httpPort, host)
  } catch (error) {
    await app.close()
    throw error
  }
  return {
    port: (secure!.address() as AddressInfo).port,
    httpPort: (plain!.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => plain!.close(resolve))
      plain!.closeIdleConnections()
      sessions!.close()
      const force = setTimeout(() => {
        plain!.closeAllConnections()
        secure!.closeAllConnections()
        sessions!.destroy()
      }, 10_000)
      await Promise.all([app.close(), closed])
      clearTimeout(force)
    },
  }
}

/**
 * Node's own HTTP/2 server with `allowHTTP1` leaves HTTP/1.1 connections without the time limits of `https`,
 * so each protocol has its server and the negotiated name decides which of them takes a connection.
 */
const secureServer = (handler: unknown, tls: Tls, limits: Limits) => {
  const server = https.createServer(
    {
      ...timesOf(limits),
      ...tls,
      handshakeTimeout: limits.headers,
      ALPNProtocols: ['h2', 'http/1.1'],
      minVersion: 'TLSv1.2',
    },
    handler as RequestListener,
  )
  const settings = { maxConcurrentStreams: 100, maxHeaderListSize: maxHeaderSize }
  const second = http2.createSecureServer({ ...tls, settings }, (request, response) => {
    // The router passes our rules by for a made-up method; this one is known and allowed nowhere.
    if (!METHODS.includes(request.method)) (request as { method: string }).method = 'TRACE'
    return (handler as (...both: unknown[]) => void)(request, response)
  })
  const sessions = watchSessions(second, limits)
  const [first] = server.listeners('secureConnection') as [(socket: TLSSocket) => void]
  server.removeAllListeners('secureConnection')
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') second.emit('secureConnection', socket)
    else first.call(server, socket)
  })
  return { server, sessions }
}

const bind = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, ipv6Only: false }, () => {
      server.off('error', reject)
      resolve()
    })
  })
