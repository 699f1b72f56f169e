import type { Http2SecureServer, Http2Session } from 'node:http2'
import type { Limits } from './limits.ts'

type Seen = { open: number; since: number; used: boolean }

/**
 * HTTP/2 sessions without a stream: a new one must open its first as soon as a head is due elsewhere, a used
 * one is kept as long as a connection of HTTP/1.1. Node's own time limit starts again with every byte, so a
 * head that is dripped in would hold its session for ever.
 */
export const watchSessions = (server: Http2SecureServer, { headers, idle, look }: Limits) => {
  const sessions = new Map<Http2Session, Seen>()
  server.on('session', (session) => {
    const seen: Seen = { open: 0, since: Date.now(), used: false }
    sessions.set(session, seen)
    session.on('stream', (stream) => {
      seen.used = true
      seen.open += 1
      stream.once('close', () => {
        seen.open -= 1
        seen.since = Date.now()
      })
    })
    session.on('close', () => sessions.delete(session))
  })
  const timer = setInterval(() => {
    const now = Date.now()
    for (const [session, { open, since, used }] of sessions)
      if (open === 0 && now - since >= (used ? idle : headers)) used ? session.close() : session.destroy()
  }, look).unref()
  return {
    close(): void {
      clearInterval(timer)
      for (const session of sessions.keys()) session.close()
    },
    destroy(): void {
      for (const session of sessions.keys()) session.destroy()
    },
  }
}
