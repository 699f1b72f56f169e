import { type BlockList, isIP, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { Failure } from '../errors.ts'
import { atOnce } from './hooks.ts'

/** Refused before anything else is looked at. */
class HttpNotAllowed extends Failure {
  override name = 'Forbidden'
  constructor() {
    super('plain HTTP', { type: 'HttpNotAllowed' })
  }
}

const open = new Set(['/livez', '/readyz'])

/** TLS, or a trusted proxy that says the client used it; anything else is refused, never redirected. */
export const requireTls = (app: FastifyInstance, config: Config): void => {
  // Who is at the other end of a connection stays the same; asking each time took 3% of a small write.
  const proxies = new WeakMap<Socket, boolean>()
  const isProxy = (socket: Socket): boolean => {
    const known = proxies.get(socket)
    if (known !== undefined) return known
    const found = isTrusted(config.trustProxy, socket.remoteAddress)
    proxies.set(socket, found)
    return found
  }
  app.addHook(
    'onRequest',
    atOnce((request) => {
      if (isEncrypted(request) || open.has(request.url.split('?', 1)[0]!)) return
      const forwarded = request.headers['x-forwarded-proto']
      if (forwarded === 'https' && isProxy(request.raw.socket)) return
      throw new HttpNotAllowed()
    }),
  )
}

const isEncrypted = (request: FastifyRequest): boolean => (request.raw.socket as TLSSocket).encrypted === true

const isTrusted = (trusted: BlockList, address: string | undefined): boolean => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address ?? '')?.[1]
  if (mapped) return trusted.check(mapped, 'ipv4')
  const family = isIP(address ?? '')
  return family > 0 && trusted.check(address!, family === 6 ? 'ipv6' : 'ipv4')
}

/** Where a request comes from, as sessions remember it. */
export const placeOf = (config: Config, request: FastifyRequest) => ({
  ip_address: clientAddress(config, request),
  user_agent: request.headers['user-agent']?.slice(0, 300) ?? null,
})

/** The client's address: the nearest hop that is not one of our proxies. */
export const clientAddress = (config: Config, request: FastifyRequest): string => {
  const hops = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)
  let address = request.raw.socket.remoteAddress ?? ''
  while (hops.length > 0 && isTrusted(config.trustProxy, address)) address = hops.pop()!
  return address.replace(/^::ffff:(?=\d+\.)/, '')
}
