import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'

const name = '__Host-marquee'

/** The session's secret, as the Studio's browser keeps it. */
export const cookieOf = (request: FastifyRequest): string | undefined => {
  const found = String(request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
  return found?.slice(name.length + 1) || undefined
}

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict'
export const sessionCookie = (secret: string, seconds: number): string =>
  `${name}=${secret}; ${attributes}; Max-Age=${seconds}`
export const noCookie = `${name}=; ${attributes}; Max-Age=0`

/**
 * A page of our own, which alone may use the cookie. A page elsewhere can neither choose its Origin nor send
 * the header without a preflight that it does not pass.
 */
export const isOwnPage = (config: Config, request: FastifyRequest): boolean => {
  const { origin } = request.headers
  if (origin === undefined || request.headers['x-marquee-csrf'] !== '1') return false
  return origin === new URL(config.publicUrl).origin || origin === `https://${request.host}`
}
