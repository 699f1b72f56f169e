import { isIP } from 'node:net'
import { Agent, type Dispatcher } from 'undici'
import type { Config } from '../config.ts'
import { isPermitted } from './addresses.ts'
import { limitedBody } from './body.ts'
import { checkedAddresses, guardedConnector } from './connect.ts'
import { failureOf, OutgoingFailure } from './failure.ts'
import { isAllowedHeader } from './headers.ts'
import { type LookUp, lookUp } from './lookup.ts'
import { type Hop, isRedirect, type Method, maxRedirects, nextHop } from './redirects.ts'

type OutgoingRequest = {
  method?: Method
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Of the answer's body; 1 MB unless told. */
  maxBytes?: number
  /** Milliseconds until the last byte of the answer, redirects included; 15,000 unless told. */
  timeout?: number
  /** A redirect is the answer, unless it is to be followed. */
  redirects?: 'refuse' | 'follow'
  signal?: AbortSignal
}

type Options = { lookUp?: LookUp; ca?: string }

/** Every request of the service to an address that somebody gave it goes through here. */
export const outgoing = (
  { allowPrivateNetwork }: Pick<Config, 'allowPrivateNetwork'>,
  options: Options = {},
) => {
  const permits = (address: string) => isPermitted(address, allowPrivateNetwork)
  const agent = new Agent({
    connect: guardedConnector(permits, options.lookUp ?? lookUp, options.ca),
    connections: 64,
    allowH2: false,
    maxHeaderSize: 16_384,
    // The time of the whole request is limited instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const check = (address: string, base?: URL): URL => {
    const url = URL.parse(address, base?.href)
    if (!url) throw new OutgoingFailure('bad-url')
    return checkedUrl(url, permits)
  }
  return {
    /** The address as it will be asked; throws what can be known to be wrong with it without a look-up. */
    check: (address: string): URL => check(address),
    request: (address: string, request: OutgoingRequest = {}) => send(agent, check, address, request),
    /** Where a socket may be opened to for this host, for what does not speak HTTP. */
    addresses: (host: string): Promise<string[]> => checkedAddresses(permits, options.lookUp ?? lookUp, host),
    close: (): Promise<void> => agent.destroy(),
  }
}
export type Outgoing = ReturnType<typeof outgoing>
export type OutgoingAnswer = Awaited<ReturnType<Outgoing['request']>>

type Check = (address: string, base?: URL) => URL

const checkedUrl = (url: URL, permits: (address: string) => boolean): URL => {
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw new OutgoingFailure('bad-url')
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && !permits(literal)) throw new OutgoingFailure('refused-address')
  return url
}

const send = async (agent: Agent, check: Check, address: string, request: OutgoingRequest) => {
  const began = performance.now()
  const deadline = startDeadline(request.timeout ?? 15_000, request.signal)
  try {
    const first = { url: check(address), ...firstHop(request) }
    const { answer, url } = await follow(agent, check, first, request.redirects === 'follow', deadline.signal)
    // Who leaves the body unread is interrupted like any other, and nobody may be there to catch it.
    answer.body.on('error', () => {}).once('close', deadline.end)
    return present(answer, url, request, deadline.signal, performance.now() - began)
  } catch (error) {
    deadline.end()
    throw failureOf(error, deadline.signal)
  }
}

const present = (
  { statusCode, headers, body }: Dispatcher.ResponseData,
  url: URL,
  { method, maxBytes = 1 << 20 }: OutgoingRequest,
  signal: AbortSignal,
  head: number,
) => {
  const hasBody = method !== 'HEAD' && statusCode !== 204 && statusCode !== 304
  const encoding = hasBody ? String(headers['content-encoding'] ?? '').toLowerCase() : undefined
  return {
    status: statusCode,
    headers,
    url: url.href,
    /** Milliseconds until the head of the answer. */
    timing: { head },
    ...limitedBody(body, encoding, maxBytes, signal),
  }
}

const firstHop = ({ method = 'GET', headers = {}, body }: OutgoingRequest): Omit<Hop, 'url'> => {
  const entries = Object.entries(headers)
  if (!entries.every(([name, value]) => isAllowedHeader(name, value))) throw new OutgoingFailure('bad-header')
  const asked = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]))
  return { method, headers: { 'user-agent': 'Marquee', 'accept-encoding': 'gzip, br', ...asked }, body }
}

const follow = async (agent: Agent, check: Check, first: Hop, follows: boolean, signal: AbortSignal) => {
  let hop = first
  for (let redirects = 0; ; redirects++) {
    const { url, ...asked } = hop
    const path = url.pathname + url.search
    const answer = await agent.request({ origin: url.origin, path, ...asked, signal })
    const { location } = answer.headers
    if (!follows || !isRedirect(answer.statusCode) || typeof location !== 'string') return { answer, url }
    answer.body.on('error', () => {}).destroy()
    if (redirects === maxRedirects) throw new OutgoingFailure('redirect')
    hop = nextHop(hop, answer.statusCode, check(location, url))
  }
}

const startDeadline = (milliseconds: number, outer: AbortSignal | undefined) => {
  const controller = new AbortController()
  const stop = () => controller.abort(outer?.reason)
  const timer = setTimeout(() => controller.abort(new OutgoingFailure('timeout')), milliseconds)
  if (outer?.aborted) stop()
  outer?.addEventListener('abort', stop)
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', stop)
    },
  }
}
