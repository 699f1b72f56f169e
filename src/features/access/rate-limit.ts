import { isIPv6 } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { TooManyRequests } from '../../errors.ts'
import { clientAddress } from '../../http/secure.ts'

/** So many in so many seconds. */
export type Policy = { name: string; count: number; seconds: number }

export const policies = {
  signInAccount: { name: 'sign-in', count: 10, seconds: 300 },
  signInAddress: { name: 'sign-in-address', count: 50, seconds: 300 },
  tokenClient: { name: 'token', count: 120, seconds: 300 },
  tokenAddress: { name: 'token-address', count: 600, seconds: 300 },
  linkAccount: { name: 'sign-in-link', count: 5, seconds: 900 },
  linkAddress: { name: 'sign-in-link-address', count: 100, seconds: 300 },
  magicAddress: { name: 'magic-address', count: 300, seconds: 300 },
  /** Codes that may be tried with one link. */
  magicCode: { name: 'magic-code', count: 10, seconds: 900 },
} satisfies Record<string, Policy>

/**
 * Counts a call and refuses it beyond the limit. It counts outside of any transaction, so that a failure does
 * not take its own count back, and under a keyed hash, so that no account or address stands in the table.
 */
export const limit = async (
  { db, keys }: Pick<Context, 'db' | 'keys'>,
  reply: FastifyReply,
  policy: Policy,
  who: string,
): Promise<void> => {
  const key = keys.sign('rate-limit', `${policy.name} ${who}`)
  const stale = sql`rate_limits.window_start <= now() - make_interval(secs => ${policy.seconds})`
  const { rows } = await sql<{ count: number; rest: number }>`
    insert into rate_limits (key, window_start, count) values (${key}, now(), 1)
    on conflict (key) do update set
      count = case when ${stale} then 1 else least(rate_limits.count + 1, 1000000) end,
      window_start = case when ${stale} then now() else rate_limits.window_start end
    returning count, ceil(extract(epoch from
      window_start + make_interval(secs => ${policy.seconds}) - now()))::integer as rest`.execute(db)
  const { count, rest } = rows[0]!
  reply.header('RateLimit-Policy', `"${policy.name}";q=${policy.count};w=${policy.seconds}`)
  reply.header('RateLimit', `"${policy.name}";r=${Math.max(0, policy.count - count)};t=${Math.max(1, rest)}`)
  if (count > policy.count) throw new TooManyRequests(Math.max(1, rest))
}

export const limitAddress = (
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  policy: Policy,
): Promise<void> => limit(context, reply, policy, network(clientAddress(context.config, request)))

/** One household or server has a whole /64 of IPv6 addresses; it counts as one. */
const network = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped || !isIPv6(address)) return mapped ?? address
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]!.split('::') as [string, string?]
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array(zeros).fill('0'), ...right].slice(0, 4).join(':')
}
