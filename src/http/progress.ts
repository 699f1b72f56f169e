import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A body or an unread response may stand still for this long, and must make this much on average. */
const stall = 15_000
const window = 30_000
const least = 1024 * 30
const look = 1000

type Watched = {
  bytes: () => number
  idle: () => boolean
  cut: () => void
  marks: { at: number; bytes: number }[]
}

const watched = new Set<Watched>()
let timer: NodeJS.Timeout | undefined

const watch = (bytes: () => number, idle: () => boolean, cut: () => void): Watched => {
  const entry = { bytes, idle, cut, marks: [{ at: Date.now(), bytes: bytes() }] }
  watched.add(entry)
  timer ??= setInterval(inspect, look).unref()
  return entry
}

const release = (entry: Watched): void => {
  watched.delete(entry)
  if (watched.size === 0) {
    clearInterval(timer)
    timer = undefined
  }
}

/** One timer looks at everything that is under way; a request adds no timer of its own. */
const inspect = (): void => {
  const now = Date.now()
  for (const entry of watched) {
    const bytes = entry.bytes()
    if (entry.idle()) {
      entry.marks = [{ at: now, bytes }]
      continue
    }
    const { marks } = entry
    if (marks.at(-1)!.bytes !== bytes) marks.push({ at: now, bytes })
    while (marks.length > 1 && marks[1]!.at <= now - window) marks.shift()
    const still = now - marks.at(-1)!.at >= stall
    const slow = now - marks[0]!.at >= window && bytes - marks[0]!.bytes < least
    if (still || slow) {
      release(entry)
      entry.cut()
    }
  }
}

/** Counts the bytes of a request's body; the connection is cut when they stop coming. */
export const watchBody = (request: IncomingMessage) => {
  let total = 0
  const entry = watch(
    () => total,
    () => false,
    () => request.destroy(new Error('the body made no progress')),
  )
  return {
    add(bytes: number) {
      total += bytes
    },
    [Symbol.dispose]: () => release(entry),
  }
}

type Handle = { writeQueueSize?: number } | null

/**
 * Cuts a client that does not read its response. What the socket says it wrote counts what still waits in
 * the operating system's queue, so that queue is taken off; nothing waiting to be sent is not a stall.
 */
export const watchResponse = (response: ServerResponse): void => {
  const { session } = (response as unknown as { stream?: { session?: { socket: Socket } } }).stream ?? {}
  const socket = session?.socket ?? response.socket
  if (!socket) return
  const waiting = () => (socket as unknown as { _handle: Handle })._handle?.writeQueueSize ?? 0
  const entry = watch(
    () => socket.bytesWritten - waiting(),
    () => waiting() === 0 && socket.writableLength === 0 && response.writableLength === 0,
    () => response.destroy(new Error('the response was not read')),
  )
  response.once('close', () => release(entry))
}
