import pg from 'pg'
import type { Heard } from '../database/heard.ts'
import { clientOptions } from '../database/session.ts'
import type { DataVersions } from '../database/versions.ts'
import type { Notice } from './dispatcher.ts'
import type { NoticeBoard } from './notices.ts'

/** The dispatcher speaks at least once a second; two silent seconds mean that we may be missing something. */
const silence = 2000
const retryAfter = 250

/**
 * Hears what other nodes changed; what this one did it has known since the commit. While it hears nothing, nothing
 * that is remembered may be used.
 */
export const listenForChanges = (
  url: string,
  versions: DataVersions,
  heardOf: Heard,
  notices: NoticeBoard,
  onError: (error: unknown) => void,
) => {
  let heardAt = Number.NEGATIVE_INFINITY
  const heard = (payload: string): void => {
    if (performance.now() - heardAt > silence) versions.forget()
    heardAt = performance.now()
    const { changed, snapshot } = JSON.parse(payload) as Notice
    for (const [environment, family, origin] of changed)
      if (environment === '*') versions.forget()
      else if (origin !== versions.origin()) versions.bump(environment, family)
    if (snapshot !== undefined) heardOf.hear(snapshot)
    const groups = Map.groupBy(changed, ([environment]) => environment)
    notices.tell([...groups].map(([where, group]) => [where, new Set(group.map(([, family]) => family))]))
  }
  const listening = keepListening(url, heard, onError)
  return {
    isTrusted: (): boolean => performance.now() - heardAt <= silence,
    stop: listening.stop,
  }
}

/** A connection that only listens, made anew whenever it is lost. */
export const keepListening = (
  url: string,
  heard: (payload: string) => void,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } => {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const listen = async (): Promise<void> => {
    const own = new pg.Client(clientOptions(url, 'marquee listener'))
    client = own
    own.on('notification', ({ payload }) => heard(payload ?? ''))
    const lost = (error?: unknown) => {
      if (own !== client) return
      client = undefined
      if (error) onError(error)
      own.end().catch(() => {})
      if (!stopped) timer = setTimeout(listen, retryAfter).unref()
    }
    own.on('error', lost).on('end', () => lost())
    await own
      .connect()
      .then(() => own.query('listen marquee'))
      .catch(lost)
  }
  listen()
  return {
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
