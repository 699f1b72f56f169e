import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { after } from 'node:test'
import { Webhook } from 'standardwebhooks'

export type Call = {
  at: number
  url: string
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of any shape
  body: any
}
type Answer = number | ((response: ServerResponse, call: Call) => void)

const endings: (() => void)[] = []
after(() => {
  for (const end of endings) end()
})

/** Who receives webhooks: keeps every call and answers as it is told. */
export const startListener = async (answer: Answer = 200, { host = '127.0.0.1', port = 0 } = {}) => {
  const calls: Call[] = []
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const call = { at: Date.now(), url: request.url!, headers: request.headers, text, body: JSON.parse(text) }
    calls.push(call)
    if (typeof listener.answer === 'number') response.writeHead(listener.answer).end()
    else listener.answer(response, call)
  })
  server.on('connection', (socket: Socket) => {
    listener.connections += 1
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
  })
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  endings.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const at = (server.address() as AddressInfo).port
  const listener = { calls, answer, connections: 0, port: at, url: `http://127.0.0.1:${at}/hook` }
  return listener
}
export type Listener = Awaited<ReturnType<typeof startListener>>

/** Holds a call against a secret, as a receiver with the package of Standard Webhooks does. */
export const isSigned = ({ text, headers }: Call, secret: string): boolean => {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}
