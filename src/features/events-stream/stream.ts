import { Readable } from 'node:stream'
import type { Db } from '../../database/connect.ts'
import { Invalid } from '../../errors.ts'
import type { Actor } from '../access/authenticate.ts'
import type { Asked } from './asked.ts'
import type { Feed } from './feed.ts'
import { offered } from './names.ts'
import { type Entry, readEvents } from './read.ts'
import { isShaping, type Sight } from './sight.ts'

/** Milliseconds that a browser waits before it comes back. */
const retry = 2000
/** What is handed over at once; a reader that takes none of it for too long is cut. */
const slice = 16_384

type Opening = {
  db: Db
  feed: Feed
  actor: Actor
  asked: Asked
  sight: Sight
  heartbeat: number
  onError(error: unknown): void
}

/**
 * One answer. It goes by its own position: what it needs next it takes from the feed or, further behind, a page at a
 * time from the table, and only when its reader has taken what came before.
 */
export const openStream = ({ db, feed, actor, asked, sight, heartbeat, onError }: Opening) => {
  const names = asked.filter ? [...new Set([...asked.names, ...offered.filter(isShaping)])] : [...asked.names]
  let position = asked.after
  let page: Entry[] = []
  let pageEnd = position
  let bytes = Buffer.from(`retry: ${retry}\nid: ${position}\n\n`)
  let saidAt = performance.now()
  let handedAt: number | undefined
  let failing = false
  let ended = false
  let wake = () => {}

  /** The next event that it may have to show; none when it has come to the end. */
  const next = async (): Promise<Entry | undefined> => {
    if (page.length > 0) return page[0]
    position = Math.max(position, pageEnd)
    if (feed.reaches(position)) {
      const entry = feed.next(position)
      if (!entry) position = Math.max(position, feed.position())
      return entry
    }
    const read = await readEvents(db, actor.environment_id, position, names)
    page = read.entries
    pageEnd = read.upTo
    return page[0]
  }
  const isBehind = (): boolean => position < Math.max(pageEnd, feed.position())

  const isDue = (): boolean => performance.now() - saidAt >= heartbeat

  /** As many events as make a slice, unless a heartbeat is due before one is found. */
  const gather = async (): Promise<string> => {
    let text = ''
    try {
      do {
        const entry = await next()
        if (!entry) continue
        const body = await sight(entry)
        if (body) text += `id: ${entry.sequence}\nevent: ${entry.event}\ndata: ${body}\n\n`
        position = entry.sequence
        if (page[0] === entry) page.shift()
      } while (isBehind() && text.length < slice && !isDue() && !ended)
      failing = false
    } catch (error) {
      // Whoever comes back is told what is wrong with a filter by now; the database may be there again in a second.
      if (error instanceof Invalid) ended = true
      else if (!failing) onError(error)
      failing = true
    }
    return text
  }
  /** Without data it is no event, but its reader knows from where to go on. */
  const beat = (): string => (isDue() ? `:\nid: ${position}\n\n` : '')

  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve
      if (ended || (isBehind() && !failing)) resolve()
    })
  /** A slice of what comes next, as soon as there is something; null at the end. */
  const take = async (): Promise<Buffer | null> => {
    while (bytes.length === 0 && !ended) {
      const text = (await gather()) || beat()
      if (text === '') await pause()
      else bytes = Buffer.from(text)
    }
    if (ended) return null
    const taken = bytes.subarray(0, slice)
    bytes = bytes.subarray(slice)
    saidAt = performance.now()
    return taken
  }
  const end = (): void => {
    ended = true
    wake()
  }
  const readable = new Readable({
    highWaterMark: slice,
    read() {
      handedAt = undefined
      take().then(
        (taken) => {
          handedAt = performance.now()
          this.push(taken)
        },
        (error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      end()
      done(error)
    },
  })
  return {
    actor,
    readable,
    wake: () => wake(),
    end,
    /** Milliseconds for which nothing has been taken of what was handed over. */
    unread: (): number => (handedAt === undefined ? 0 : performance.now() - handedAt),
  }
}
export type Stream = ReturnType<typeof openStream>
