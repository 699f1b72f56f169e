import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import { connect as connectPlain, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { connect as connectTls } from 'node:tls'

export type Exchange = { text: string; closed: boolean; took: number }

export const tlsSocket = async (port: number): Promise<Socket> => {
  const socket = connectTls({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
  })
  await once(socket, 'secureConnect')
  return socket
}

export const plainSocket = async (port: number): Promise<Socket> => {
  const socket = connectPlain({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  return socket
}

/** Sends bytes as they are; gives what came back by the time the server closed or `patience` ran out. */
export const exchange = async (
  socket: Socket,
  bytes: string | Buffer,
  patience = 2000,
): Promise<Exchange> => {
  const from = performance.now()
  let text = ''
  let closed = false
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  const ended = new Promise<void>((resolve) => {
    const done = () => {
      closed = true
      resolve()
    }
    socket.once('end', done)
    socket.once('close', done)
  })
  socket.write(bytes)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patience)
  })
  await Promise.race([ended, late])
  clearTimeout(timer)
  socket.destroy()
  return { text, closed, took: performance.now() - from }
}

/** The status line's number of each response in what came back. */
export const statuses = ({ text }: Exchange): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]))

export const http2Session = async (port: number): Promise<http2.ClientHttp2Session> => {
  const session = http2.connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  await once(session, 'connect')
  return session
}

export type Http2Answer = { status: number; headers: http2.IncomingHttpHeaders; text: string }

export const http2Call = async (
  session: http2.ClientHttp2Session,
  headers: http2.OutgoingHttpHeaders,
  body?: string | Buffer,
): Promise<Http2Answer> => {
  const stream = session.request(headers, { endStream: body === undefined })
  // In pieces: Node's client gives up on an early answer while more than 10 MB wait in its own buffer.
  if (body !== undefined) Readable.from(piecesOf(body)).pipe(stream)
  const [answer] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders & { ':status': number }]
  let text = ''
  for await (const chunk of stream) text += chunk
  return { status: answer[':status'], headers: answer, text }
}

function* piecesOf(body: string | Buffer): Generator<Buffer> {
  const bytes = Buffer.from(body)
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

export type Http1Answer = { status: number; headers: IncomingHttpHeaders; text: string }

export const http1Call = async (
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | Buffer = '',
): Promise<Http1Answer> => {
  const length = Buffer.byteLength(body)
  const request = https.request({
    port,
    host: '127.0.0.1',
    method,
    path,
    rejectUnauthorized: false,
    headers: { ...headers, 'content-length': length },
  })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  request.on('error', () => {})
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode!, headers: response.headers, text }
}
