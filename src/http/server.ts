import { randomBytes } from 'node:crypto'
import { createServer, METHODS, type RequestListener, type Server, type ServerResponse } from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Context } from '../context.ts'
import { buildApp } from './app.ts'
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
  for (const server of [secure!, plain!]) {
    server.timeout = limits.idle
    server.on('clientError', badRequest)
  }
  const host = config.host ?? '::'
  try {
    await app.listen({ port: config.port, host, listenTextResolver: (at) => at.replace(/^http:/, 'https:') })
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
      }, 10_000).unref()
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

const reasons: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** What is not HTTP gets a short answer and a closed connection; nothing after it is read. */
const badRequest = (error: NodeJS.ErrnoException, socket: Socket): void => {
  const { _httpMessage: answering } = socket as Socket & { _httpMessage?: ServerResponse | null }
  // An answer that has begun cannot be followed by another one in its middle.
  if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent) return void socket.destroy()
  const status = reasons[error.code ?? ''] ?? '400 Bad Request'
  const [code, ...message] = status.split(' ')
  const dbtrace = randomBytes(16).toString('hex')
  const body = JSON.stringify({ code: Number(code), message: message.join(' '), dbtrace })
  const head = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    'Cache-Control: private, no-store',
    `Content-Length: ${body.length}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

const bind = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, ipv6Only: false }, () => {
      server.off('error', reject)
      resolve()
    })
  })
