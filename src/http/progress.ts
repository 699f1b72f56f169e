import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { Limits } from './limits.ts'

type Watched = {
  bytes: () => number
  idle: () => boolean
  cut: () => void
  marks: { at: number; bytes: number }[]
  /** When it must be over, however steady it is. */
  until: number
}

/** Cuts whoever sends a body or reads a response too slowly. One timer looks at all; a request adds none. */
export const watchProgress = ({ stall, window, perSecond, look, rest, body: whole }: Limits) => {
  const watched = new Set<Watched>()
  let timer: NodeJS.Timeout | undefined

  const watch = ({ bytes, idle }: State, cut: () => void, most = Number.POSITIVE_INFINITY): Watched => {
    const now = Date.now()
    const entry = { bytes, idle, cut, marks: [{ at: now, bytes: bytes() }], until: now + most }
    watched.add(entry)
    timer ??= setInterval(inspect, look).unref()
    return entry
  }
  const release = (entry: Watched): void => {
    watched.delete(entry)
    if (watched.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  const inspect = (): void => {
    const now = Date.now()
    for (const entry of watched) {
      if (now < entry.until && !tooSlow(entry, now)) continue
      release(entry)
      entry.cut()
    }
  }
  const tooSlow = (entry: Watched, now: number): boolean => {
    const bytes = entry.bytes()
    if (entry.idle()) entry.marks = [{ at: now, bytes }]
    const { marks } = entry
    if (marks.at(-1)!.bytes !== bytes) marks.push({ at: now, bytes })
    while (marks.length > 1 && marks[1]!.at <= now - window) marks.shift()
    const still = now - marks.at(-1)!.at >= stall
    const slow = now - marks[0]!.at >= window && bytes - marks[0]!.bytes < (perSecond * window) / 1000
    return still || slow
  }

  return {
    /** Counts the bytes of a request's body; the connection is cut when they stop coming, or take too long. */
    body(request: IncomingMessage, most = whole) {
      let total = 0
      const cut = () => abandon(request, 'the body made no progress')
      const entry = watch({ bytes: () => total, idle: () => false }, cut, most)
      return {
        add(bytes: number) {
          total += bytes
        },
        [Symbol.dispose]: () => release(entry),
      }
    },

    /** Reads on what is left of the body of a refused request, so that its sender can read the answer. */
    rest(request: IncomingMessage): void {
      if (request.readableEnded || request.destroyed) return
      let total = 0
      const cut = () => abandon(request, 'the rest of the body made no progress')
      const entry = watch({ bytes: () => total, idle: () => false }, cut, whole)
      request.on('data', (chunk: Buffer) => {
        total += chunk.length
        if (total > rest) cut()
      })
      request.resume()
      request.once('end', () => release(entry))
      request.once('close', () => release(entry))
      request.once('error', () => {})
    },

    /** Cuts a client that does not read its response; gives the payload to send in place of this one. */
    response(response: ServerResponse, payload: unknown): unknown {
      const { stream } = response as unknown as { stream?: ServerHttp2Stream }
      const slices = stream && typeof payload === 'string' ? inSlices(payload) : undefined
      const state = slices ? streamState(stream!, slices.given) : socketState(response, stream)
      if (!state) return payload
      const entry = watch(state, () => response.destroy(new Error('the response was not read')))
      response.once('close', () => release(entry))
      return slices?.payload ?? payload
    },
  }
}
export type Progress = ReturnType<typeof watchProgress>

/** A stream of HTTP/2 is closed by itself; its request object alone would only look as if it had ended. */
const abandon = (request: IncomingMessage, reason: string): void => {
  const { stream } = request as unknown as { stream?: ServerHttp2Stream }
  if (stream) stream.close(constants.NGHTTP2_CANCEL)
  else request.destroy(new Error(reason))
}

type State = { bytes: () => number; idle: () => boolean }
type Handle = { writeQueueSize?: number } | null

/**
 * What the socket says it wrote counts what still waits in the operating system's queue, so that queue is
 * taken off; nothing waiting to be sent is not a stall.
 */
const socketState = (response: ServerResponse, stream?: ServerHttp2Stream): State | undefined => {
  // A response that waits behind another one on its connection has no socket yet; its request has.
  const socket = (stream?.session?.socket as Socket | undefined) ?? response.req.socket
  if (!socket) return undefined
  const waiting = () => (socket as unknown as { _handle: Handle })._handle?.writeQueueSize ?? 0
  return {
    bytes: () => socket.bytesWritten - waiting(),
    idle: () => waiting() === 0 && socket.writableLength === 0 && response.writableLength === 0,
  }
}

/** The streams of an HTTP/2 session share a socket, so each is judged by what it took of its own payload. */
const streamState = (stream: ServerHttp2Stream, given: () => number): State => ({
  bytes: () => given() - stream.writableLength,
  idle: () => stream.writableLength === 0,
})

const slice = 16_384

const inSlices = (text: string) => {
  const bytes = Buffer.from(text)
  let at = 0
  const payload = new Readable({
    read() {
      this.push(at < bytes.length ? bytes.subarray(at, at + slice) : null)
      at += slice
    },
  })
  return { payload, given: () => at }
}
