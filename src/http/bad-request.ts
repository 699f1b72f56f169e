import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const reasons: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** What is not HTTP gets a short answer and a closed connection; nothing after it is read. */
export const badRequest = (error: NodeJS.ErrnoException, socket: Socket): void => {
  const { _httpMessage: answering } = socket as Socket & { _httpMessage?: ServerResponse | null }
  // Nobody hears us before TLS is there, and an answer that has begun cannot hold another one in its middle.
  const heard = error.code?.startsWith('HPE_') || error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  if (!heard || !socket.writable || answering?.headersSent) return void socket.destroy()
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
