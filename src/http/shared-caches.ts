import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Family } from '../database/versions.ts'
import { surrogateKey } from '../jobs/purge.ts'
import { isCdn } from './methods.ts'

/** How long, in seconds, a cache in between may keep an answer; with somebody to tell of changes, much longer. */
const untold = 60
const told = 3600

/**
 * What caches in between may keep: only what is read on the cdn host by a token that sees what is published, sent in the
 * header. `Surrogate-Key` names what it rests on; those are the keys that the purge hook is told.
 */
export const allowSharing = (
  config: Config,
  request: FastifyRequest,
  reply: FastifyReply,
  families: readonly Family[],
  left: number,
): void => {
  const { token, environment_id } = request.actor
  if (token.visibility !== 'published' || !isCdn(config, request)) return
  const most = config.purgeUrl ? told : untold
  reply
    .header('Cache-Control', `public, max-age=0, s-maxage=${Math.min(most, Math.floor(left / 1000))}`)
    .header('Vary', [reply.getHeader('Vary') ?? [], 'Authorization'].flat().join(', '))
    .header('Surrogate-Key', families.map((family) => surrogateKey(environment_id, family)).join(' '))
}
