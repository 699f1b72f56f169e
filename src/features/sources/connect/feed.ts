import { hash } from 'node:crypto'
import type { OutgoingAnswer } from '../../../outgoing/client.ts'
import { OutgoingFailure } from '../../../outgoing/failure.ts'
import {
  type Asking,
  type Connector,
  type Due,
  maxBytes,
  PollFailure,
  type State,
  timeout,
} from './polling.ts'

const accept =
  'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5'

/** Asks for a feed, in a way that lets its server say that nothing is new. */
export const fetchFeed: Connector = async (asking, due) => {
  const answer = await ask(asking, due)
  const moved = answer.moved ? { address: answer.moved } : {}
  if (answer.status === 304) return { state: moved }
  requireSuccess(answer)
  const { bytes, free } = await asking.budget(answer.stream(), asking.signal)
  try {
    const content_hash = hash('sha256', bytes, 'hex')
    const state: State = { ...moved, ...conditionsOf(answer), content_hash }
    if (due.content_hash?.toString('hex') === content_hash) return { state }
    const contentType = String(answer.headers['content-type'] ?? '')
    return {
      state,
      outcome: await asking.reader.read({ kind: 'feed', bytes, contentType, ...about(due, answer) }),
    }
  } finally {
    free()
  }
}

/** What the next request may ask by. */
const conditionsOf = ({ headers }: Answer) => ({
  etag: sendable(headers.etag),
  last_modified: sendable(headers['last-modified']),
})

export const about = ({ seen }: Due, { url }: OutgoingAnswer) => ({
  url,
  seen: seen?.toString('hex') ?? '',
  now: Date.now(),
})

type Answer = OutgoingAnswer & { moved?: string }

/** A feed that has gone from http to https is asked there from now on; the client follows no such redirect. */
const ask = async ({ outgoing, signal }: Asking, due: Due): Promise<Answer> => {
  const address = due.address ?? due.url!
  const conditions = {
    ...(due.etag && { 'if-none-match': due.etag }),
    ...(due.last_modified && { 'if-modified-since': due.last_modified }),
  }
  const request = {
    headers: { accept, ...conditions },
    maxBytes,
    timeout,
    redirects: 'follow' as const,
    signal,
  }
  try {
    return await outgoing.request(address, request)
  } catch (error) {
    const isRefused = error instanceof OutgoingFailure && error.reason === 'redirect'
    if (!isRefused || !/^http:/i.test(address)) throw error
    const moved = address.replace(/^http:/i, 'https:')
    return { ...(await outgoing.request(moved, request)), moved }
  }
}

/** What may stand in a header of ours; a server that sends anything else is asked without. */
const sendable = (value: string | string[] | undefined): string | null =>
  typeof value === 'string' && /^[\x20-\x7e]{1,500}$/.test(value) ? value : null

export const requireSuccess = ({ status, headers, discard }: OutgoingAnswer): void => {
  if (status >= 200 && status < 300) return
  discard()
  throw new PollFailure(`The answer was ${status}`, secondsOf(headers['retry-after']))
}

/** In seconds, or as a date. */
const secondsOf = (value: string | string[] | undefined): number | undefined => {
  if (typeof value !== 'string') return undefined
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return seconds > 0 ? Math.ceil(seconds) : undefined
}
