import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { basisOf } from '../database/basis.ts'
import type { Family } from '../database/versions.ts'
import type { Actor, Token } from '../features/access/authenticate.ts'
import { isHeld } from './etag.ts'
import { inPassing } from './hooks.ts'
import { allowSharing } from './shared-caches.ts'

/** The most bytes that one answer may have. */
const longest = 1_000_000
/** Counts of interactions move all the time; an answer that shows them is this old at most. */
const countsLast = 5000

type Answer = {
  body: Buffer
  etag: string
  link: string | undefined
  families: Family[]
  versions: string
  until: number
}

/** A request whose answer will be kept: under which name, and how the data stood when it began. */
export type Keeping = {
  key: string
  stood: Map<Family, string>
  settle(answer: Answer | undefined): void
}

type Working = { stood: string; answer: Promise<Answer | undefined> }

export type CacheFigures = { hits: number; misses: number; bytes(): number }

/**
 * Finished answers of routes that say what they rest on (`cached`), until that changes. A version is noted before
 * anything is read, so an answer that a write overtook is never given again. Who asks for the same at once shares one
 * answer. While a node does not hear the others it keeps nothing.
 */
export const keepAnswers = (app: FastifyInstance, context: Context): CacheFigures => {
  const { versions, config } = context
  const answers = new LRUCache<string, Answer>({
    maxSize: Math.max(1, config.cacheMb * 1_000_000),
    maxEntrySize: longest,
    sizeCalculation: ({ body }, key) => body.length + key.length + 200,
  })
  const working = new Map<string, Working>()
  const figures: CacheFigures = { hits: 0, misses: 0, bytes: () => answers.calculatedSize ?? 0 }

  const versionOf = ({ environment_id, organisation_id }: Actor, family: Family): string =>
    family === 'access'
      ? `${versions.of(environment_id, family)} ${versions.of(organisation_id, family)}`
      : versions.of(environment_id, family)
  const standing = (actor: Actor) => new Map(families.map((family) => [family, versionOf(actor, family)]))
  const isFresh = (answer: Answer, actor: Actor): boolean =>
    answer.versions === answer.families.map((family) => versionOf(actor, family)).join() &&
    answer.until > performance.now()

  /** Whoever comes first works; the others wait for it, if nothing has changed since it began. */
  const begin = (request: FastifyRequest, reply: FastifyReply, key: string): void => {
    const stood = standing(request.actor)
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
    const own: Working = { stood: [...stood.values()].join(), answer: promise }
    working.set(key, own)
    request.keeping = {
      key,
      stood,
      settle(answer) {
        if (working.get(key) === own) working.delete(key)
        resolve(answer)
      },
    }
    reply.raw.once('close', () => request.keeping?.settle(undefined))
  }

  app.decorateRequest('keeping', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const key = config.cacheMb > 0 && context.isTrusted() ? keyOf(request) : undefined
    if (key === undefined) return done()
    const known = answers.get(key)
    if (known && isFresh(known, request.actor)) {
      figures.hits += 1
      return give(config, request, reply, known)
    }
    const other = working.get(key)
    if (!other || other.stood !== [...standing(request.actor).values()].join()) {
      figures.misses += 1
      begin(request, reply, key)
      return done()
    }
    other.answer.then((answer) => {
      figures[answer ? 'hits' : 'misses'] += 1
      if (answer) give(config, request, reply, answer)
      else done()
    })
  })

  app.addHook(
    'onSend',
    inPassing((request, reply, payload) => {
      const { keeping } = request
      if (!keeping || reply.statusCode !== 200 || typeof payload !== 'string') return payload
      const answer = answerOf(request, reply, payload, keeping)
      if (!answer) return payload
      reply.header('ETag', answer.etag)
      allowSharing(config, request, reply, answer.families, answer.until - performance.now())
      answers.set(keeping.key, answer)
      keeping.settle(answer)
      if (!isHeld(request, answer.etag)) return answer.body
      reply.code(304)
      return null
    }),
  )
  return figures
}

const families: Family[] = ['content', 'structure', 'audience', 'messages', 'music', 'access']

/** What tells the answer to one reader from that to another; nothing where it is this reader's alone. */
const keyOf = (request: FastifyRequest): string | undefined => {
  const { method, actor, queryToken, url, routeOptions, written } = request
  if (
    (method !== 'GET' && method !== 'HEAD') ||
    !routeOptions.config.cached ||
    queryToken !== undefined ||
    written
  )
    return undefined
  if (actor.token.kind === 'personal' || passing.test(url)) return undefined
  return `${actor.environment_id} ${actor.environment.version} ${sightOf(actor.token)} ${url}`
}

/** Asked for somebody, of a working copy, or reckoned from now. */
const passing = /session_hash|draft=|il(\]|%5D)/i

const sights = new WeakMap<Token, string>()
/** Tokens that see the same share answers. */
const sightOf = (token: Token): string => {
  const known = sights.get(token)
  if (known !== undefined) return known
  const sight = hash('sha256', [token.visibility, ...[...token.scopes].sort()].join(' '), 'base64url')
  sights.set(token, sight)
  return sight
}

const answerOf = (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string,
  { stood }: Keeping,
): Answer | undefined => {
  const basis = basisOf(request.actor)
  if (basis.has('drafts') || basis.has('time')) return undefined
  const also = families.filter((family) => basis.has(family))
  const rests = [...new Set([...request.routeOptions.config.cached!, ...also])]
  return {
    body: Buffer.from(payload),
    etag:
      (reply.getHeader('ETag') as string | undefined) ??
      `"${hash('sha256', payload, 'base64url').slice(0, 22)}"`,
    link: reply.getHeader('Link') as string | undefined,
    families: rests,
    versions: rests.map((family) => stood.get(family)).join(),
    until: basis.has('interactions') ? performance.now() + countsLast : Number.POSITIVE_INFINITY,
  }
}

const give = (config: Config, request: FastifyRequest, reply: FastifyReply, answer: Answer): void => {
  const { body, etag, link, families, until } = answer
  allowSharing(config, request, reply, families, until - performance.now())
  reply.header('ETag', etag).header('Content-Type', 'application/json; charset=utf-8')
  if (link !== undefined) reply.header('Link', link)
  if (isHeld(request, etag)) reply.code(304).send()
  else reply.send(body)
}
