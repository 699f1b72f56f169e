import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { TooManyRequests, Unavailable } from '../../errors.ts'
import type { Limits } from '../../http/limits.ts'
import type { Actor } from '../access/authenticate.ts'
import type { Asked } from './asked.ts'
import { type Feed, startFeed } from './feed.ts'
import { sightOf } from './sight.ts'
import { openStream, type Stream } from './stream.ts'

/** Looks at everything that is open: at tokens, for events that nobody told of, and at who has ceased to read. */
const every = 1000

/** The answer that a stream is written into. */
type Raw = { once(event: 'close', listener: () => void): unknown; writableLength: number; destroy(): unknown }

/** All streams of this process, with one feed for each environment that somebody listens to. */
export const eventHub = (context: Context, limits: Limits) => {
  const streams = new Map<Stream, Raw>()
  const feeds = new Map<string, Feed>()
  let timer: NodeJS.Timeout | undefined
  let stopListening = () => {}
  let closed = false

  const complain = (error: unknown) =>
    context.log.warn({ err: error }, 'events could not be read for streams')
  const listeners = (environmentId: string): Stream[] =>
    [...streams.keys()].filter(({ actor }) => actor.environment_id === environmentId)

  const feedOf = (environmentId: string, end: number): Feed => {
    const known = feeds.get(environmentId)
    if (known) return known
    const wakeAll = () => {
      for (const stream of listeners(environmentId)) stream.wake()
    }
    const feed = startFeed(context.db, environmentId, end, wakeAll, complain)
    feeds.set(environmentId, feed)
    return feed
  }
  const cut = (stream: Stream, raw: Raw): void => {
    raw.destroy()
    remove(stream)
  }
  const look = (): void => {
    for (const feed of feeds.values()) feed.wake()
    for (const [stream, raw] of streams)
      if (stream.unread() > limits.unread) cut(stream, raw)
      else stream.wake()
    endRefused(context, [...streams.keys()]).catch(complain)
  }
  const begin = (): void => {
    timer = setInterval(look, Math.min(every, limits.heartbeat)).unref()
    stopListening = context.notices.listen((environment) => {
      if (environment !== '*') feeds.get(environment)?.wake()
      else for (const feed of feeds.values()) feed.wake()
    })
  }
  const remove = (stream: Stream): void => {
    const { environment_id } = stream.actor
    if (!streams.delete(stream)) return
    stream.end()
    if (listeners(environment_id).length === 0) {
      feeds.get(environment_id)?.stop()
      feeds.delete(environment_id)
    }
    if (streams.size > 0) return
    clearInterval(timer)
    stopListening()
  }
  const checkRoom = ({ id }: Actor['token']): void => {
    if (closed) throw new Unavailable('shutting down')
    const own = [...streams.keys()].filter(({ actor }) => actor.token.id === id)
    if (own.length >= limits.streamsPerToken) throw new TooManyRequests(5)
    if (streams.size >= limits.streams) throw new Unavailable('too many streams', 5)
  }

  return {
    open(actor: Actor, asked: Asked, raw: Raw): Stream['readable'] {
      checkRoom(actor.token)
      const feed = feedOf(actor.environment_id, asked.end)
      const sight = sightOf(context, actor, asked)
      const { heartbeat } = limits
      const stream = openStream({ db: context.db, feed, actor, asked, sight, heartbeat, onError: complain })
      if (streams.size === 0) begin()
      streams.set(stream, raw)
      raw.once('close', () => remove(stream))
      // An answer that was closed before it began tells nobody; what it was to send is destroyed all the same.
      stream.readable.once('close', () => stream.readable.readableEnded || remove(stream))
      return stream.readable
    },
    /** Ends all at once: those who read have what they were sent, nobody waits for the others. */
    close(): void {
      closed = true
      for (const [stream, raw] of streams)
        if (stream.unread() > 0 || raw.writableLength > 0) cut(stream, raw)
        else stream.end()
    },
  }
}

/** A token that is revoked or expired ends its streams; what it may read stays the same as long as it lives. */
const endRefused = async ({ db }: Context, streams: Stream[]): Promise<void> => {
  const ids = [...new Set(streams.map(({ actor }) => actor.token.id))]
  const { rows } = await sql<{ id: string }>`select id from tokens where id = any(${ids}::text[])
    and revoked_on is null and (expires_on is null or expires_on > now())`.execute(db)
  const valid = new Set(rows.map(({ id }) => id))
  for (const stream of streams) if (!valid.has(stream.actor.token.id)) stream.end()
}
