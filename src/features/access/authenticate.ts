import { LRUCache } from 'lru-cache'
import type { Db } from '../../database/connect.ts'
import type { Performer } from '../../events.ts'
import { sha256 } from '../../secrets.ts'
import type { EnvironmentRow, TokenKind, Visibility } from './table.ts'

export type Token = {
  id: string
  kind: TokenKind
  organisation_id: string
  environment_id: string | null
  scopes: ReadonlySet<string>
  visibility: Visibility
  user_id: string | null
  session_id: string | null
  person_key: string | null
}

/** Who asks, in which environment. */
export type Actor = Performer & {
  environment_id: string
  /** The person that a personal token belongs to; other tokens belong to nobody. */
  person_key: string | null
  environment: EnvironmentRow
  token: Token
}

type Known<T> = { loading: Promise<T>; loaded: T | undefined; until: number }
type Found = { token: Token; expires_on: Date | null } | undefined

/** A revoked token must stop within a second on every node; this leaves time for the request itself. */
const trustedFor = 700

/**
 * Tokens and environments as they were at most 0.7 s ago. One query per token and interval is little even
 * for thousands of tokens, and needs no message from other nodes that could get lost.
 */
export const tokenCache = (db: Db) => {
  const tokens = new LRUCache<string, Known<Found>>({ max: 50_000, ttl: trustedFor })
  const environments = new LRUCache<string, Known<EnvironmentRow | undefined>>({
    max: 10_000,
    ttl: trustedFor,
  })
  /** The busiest by their value, while they are trusted: a hash took 4% of a read. */
  const hashed = new LRUCache<string, Known<Found>>({ max: 100, ttl: trustedFor, ttlAutopurge: true })
  const used = new Map<string, Date>()

  const remember = <T>(
    cache: LRUCache<string, Known<T>>,
    key: string,
    load: () => Promise<T>,
  ): Promise<T> => {
    const known = cache.get(key)
    if (known) return known.loading
    const entry: Known<T> = { loading: load(), loaded: undefined, until: performance.now() + trustedFor }
    cache.set(key, entry)
    entry.loading.then(
      (value) => {
        entry.loaded = value
      },
      () => cache.delete(key),
    )
    return entry.loading
  }
  const valid = (found: Found): Token | undefined => {
    if (!found || (found.expires_on && found.expires_on <= new Date())) return undefined
    used.set(found.token.id, new Date())
    return found.token
  }

  return {
    async token(value: string): Promise<Token | undefined> {
      const hash = sha256(value)
      return valid(await remember(tokens, hash.toString('base64'), () => loadToken(db, hash)))
    },
    /** What need not be looked up; undefined also where it is not valid. */
    knownToken(value: string): Token | undefined {
      const recent = hashed.get(value)
      const entry = recent ?? tokens.get(sha256(value).toString('base64'))
      if (!entry || entry.until <= performance.now()) {
        hashed.delete(value)
        return undefined
      }
      if (!recent) hashed.set(value, entry)
      return valid(entry.loaded)
    },
    knownEnvironment: (id: string): EnvironmentRow | undefined => environments.get(id)?.loaded,
    environment: (id: string): Promise<EnvironmentRow | undefined> =>
      remember(environments, id, () =>
        db.selectFrom('environments').selectAll().where('id', '=', id).executeTakeFirst(),
      ),
    /** What this process has just changed is forgotten at once; other nodes follow within the second. */
    forget(): void {
      tokens.clear()
      hashed.clear()
      environments.clear()
    },
    /** Last-used times since the last call; a job writes them down. */
    takeUsed(): Map<string, Date> {
      const taken = new Map(used)
      used.clear()
      return taken
    },
    /** Times that could not be written down; what was noted since is newer. */
    giveBackUsed(entries: Iterable<[string, Date]>): void {
      for (const [id, at] of entries) if (!used.has(id)) used.set(id, at)
    },
  }
}
export type TokenCache = ReturnType<typeof tokenCache>

const loadToken = async (db: Db, hash: Buffer): Promise<Found> => {
  const row = await db
    .selectFrom('tokens')
    .selectAll()
    .where('hash', '=', hash)
    .where('revoked_on', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  return { token: { ...row, scopes: new Set(row.scopes) }, expires_on: row.expires_on }
}
