import http from 'node:http'
import https from 'node:https'
import { type AddressInfo, BlockList, createServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { outgoing } from '../../src/outgoing/client.ts'
import type { OutgoingFailure } from '../../src/outgoing/failure.ts'
import { testCertificate } from '../harness/certificate.ts'

type Listener = (request: http.IncomingMessage, response: http.ServerResponse) => void
type Place = { host?: string; port?: number }

export const blockList = (...addresses: string[]): BlockList => {
  const list = new BlockList()
  for (const address of addresses) list.addAddress(address, address.includes(':') ? 'ipv6' : 'ipv4')
  return list
}

/** A client that may reach these addresses besides public ones. */
export const client = (t: TestContext, allowed: string[], options: Parameters<typeof outgoing>[1] = {}) => {
  const made = outgoing({ allowPrivateNetwork: blockList(...allowed) }, options)
  t.after(() => made.close())
  return made
}

export const serve = (t: TestContext, listener: Listener, place: Place = {}) =>
  listen(t, http.createServer(listener), 'http', place)

export const serveTls = async (t: TestContext, listener: Listener) =>
  listen(t, https.createServer({ ...(await testCertificate()) }, listener), 'https', {})

/** Bytes rather than HTTP: for answers that no HTTP server would give. */
export const serveBytes = (t: TestContext, listener: (socket: Socket) => void) =>
  listen(t, createServer(listener), 'http', {})

const listen = async (
  t: TestContext,
  server: Server,
  scheme: string,
  { host = '127.0.0.1', port = 0 }: Place,
) => {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen({ host, port }, () => resolve()),
  )
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const at = (server.address() as AddressInfo).port
  return {
    port: at,
    url: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${at}`,
    sockets,
    connections: () => connections,
  }
}

/** The reason of the failure that the promise ends with. */
export const reasonOf = async (asked: Promise<unknown>): Promise<string> => {
  try {
    await asked
  } catch (error) {
    return (error as OutgoingFailure).reason ?? `other: ${error}`
  }
  return 'answered'
}
