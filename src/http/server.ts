import { createServer, type RequestListener, type Server } from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Context } from '../context.ts'
import { buildApp } from './app.ts'

/** A head must be there within 10 s; bodies and unread responses are watched by `progress.ts`. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 0,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 32_768,
}

export type Listening = { port: number; httpPort: number; close(): Promise<void> }

/** TLS with HTTP/2 and HTTP/1.1 on one port, and the plain listener beside it; both lead to the same routes. */
export const listen = async (context: Context, tls: { cert: string; key: string }): Promise<Listening> => {
  const { config } = context
  let secure: Server | undefined
  let plain: Server | undefined
  let sessions: Set<http2.Http2Session> | undefined
  const app = await buildApp(context, (handler) => {
    const made = secureServer(handler, tls)
    secure = made.server as unknown as Server
    sessions = made.sessions
    plain = createServer({ ...timeouts, insecureHTTPParser: false }, handler as RequestListener)
    return secure as never
  })
  plain!.on('clientError', badRequest)
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
      for (const session of sessions!) session.close()
      const force = setTimeout(() => {
        plain!.closeAllConnections()
        secure!.closeAllConnections()
        for (const session of sessions!) session.destroy()
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
const secureServer = (handler: unknown, tls: { cert: string; key: string }) => {
  const options = { ...timeouts, ...tls, ALPNProtocols: ['h2', 'http/1.1'], minVersion: 'TLSv1.2' as const }
  const server = https.createServer(options, handler as RequestListener)
  const second = http2.createSecureServer(
    { ...tls, settings: { maxConcurrentStreams: 100 } },
    handler as never,
  )
  const sessions = new Set<http2.Http2Session>()
  second.on('session', (session) => {
    sessions.add(session)
    session.setTimeout(timeouts.keepAliveTimeout, () => session.close())
    session.on('close', () => sessions.delete(session))
  })
  const [first] = server.listeners('secureConnection') as [(socket: TLSSocket) => void]
  server.removeAllListeners('secureConnection')
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') second.emit('secureConnection', socket)
    else first.call(server, socket)
  })
  server.on('clientError', badRequest)
  return { server, sessions }
}

const reasons: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** What is not HTTP gets a short answer and a closed connection; nothing after it is read. */
const badRequest = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = reasons[error.code ?? ''] ?? '400 Bad Request'
  const [code, ...message] = status.split(' ')
  const body = JSON.stringify({ code: Number(code), message: message.join(' '), dbtrace: '0'.repeat(32) })
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
}

const bind = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, ipv6Only: false }, () => {
      server.off('error', reject)
      resolve()
    })
  })
