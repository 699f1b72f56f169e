import { OutgoingFailure } from './failure.ts'
import { harmlessHeaders, withoutContent } from './headers.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Hop = {
  url: URL
  method: Method
  headers: Record<string, string>
  body: string | Uint8Array | undefined
}

const statuses = new Set([301, 302, 303, 307, 308])

export const maxRedirects = 5

export const isRedirect = (status: number): boolean => statuses.has(status)

/** The request to make instead. The scheme never changes, and a body never goes to another origin. */
export const nextHop = (hop: Hop, status: number, url: URL): Hop => {
  if (url.protocol !== hop.url.protocol) throw new OutgoingFailure('redirect')
  const next = { ...(becomesGet(status, hop.method) ? asGet(hop) : hop), url }
  if (url.origin === hop.url.origin) return next
  if (next.body !== undefined) throw new OutgoingFailure('redirect')
  return { ...next, headers: harmlessHeaders(next.headers) }
}

const becomesGet = (status: number, method: Method): boolean =>
  status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST'

const asGet = (hop: Hop): Hop => ({
  ...hop,
  method: 'GET',
  headers: withoutContent(hop.headers),
  body: undefined,
})
