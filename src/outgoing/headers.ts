/** They frame the message, belong to one hop, or say who is calling: the client's to write, or nobody's. */
const reserved = new Set([
  'connection',
  'content-length',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
  'x-real-ip',
])
const reservedPrefix = /^(proxy|sec|x-forwarded)-/

/** Whether a caller may choose this header. Values are ASCII: there is no agreement on what other bytes mean. */
export const isAllowedHeader = (name: string, value: string): boolean =>
  /^[\w!#$%&'*+.^`|~-]{1,128}$/.test(name) &&
  /^[\t\x20-\x7e]{0,8192}$/.test(value) &&
  !reserved.has(name.toLowerCase()) &&
  !reservedPrefix.test(name.toLowerCase())

/** What another origin may be told after a redirect: nothing that the caller meant for the first one. */
const harmless = new Set(['accept', 'accept-encoding', 'accept-language', 'user-agent'])

export const harmlessHeaders = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => harmless.has(name)))

export const withoutContent = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')))
