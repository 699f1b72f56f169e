import type { Context } from '../../../context.ts'
import type { OutgoingAnswer } from '../../../outgoing/client.ts'
import { OutgoingFailure } from '../../../outgoing/failure.ts'
import type { Keys } from '../../../secrets.ts'
import { mask } from '../headers.ts'
import type { WebhookRow } from '../table.ts'
import type { Claimed } from './claim.ts'
import { type Secrets, signedHeaders } from './sign.ts'

export const timeout = 15_000
const headBytes = 2048

/** What became of one attempt. */
export type Outcome = {
  delivered: boolean
  attemptedOn: Date
  duration: number
  requestHeaders: Record<string, string>
  status: number | null
  head: string | null
  error: string | null
}

/** One attempt. A redirect is an answer like any other that is not a success. */
export const attempt = async (
  { keys, outgoing }: Pick<Context, 'keys' | 'outgoing'>,
  { delivery, webhook, body }: Claimed,
  signal?: AbortSignal,
): Promise<Outcome> => {
  const attemptedOn = new Date()
  const from = performance.now()
  const { headers: given, ...secrets } = opened(keys, webhook)
  const own = { 'content-type': 'application/json', 'user-agent': 'Marquee' }
  const signed = signedHeaders(delivery.event_id, body, secrets, attemptedOn)
  const request = {
    method: 'POST' as const,
    headers: { 'accept-encoding': 'identity', ...given, ...own, ...signed },
    body,
    maxBytes: headBytes,
    timeout,
    redirects: 'refuse' as const,
    ...(signal && { signal }),
  }
  const told = (answer: Pick<Outcome, 'delivered' | 'status' | 'head' | 'error'>): Outcome => ({
    ...answer,
    attemptedOn,
    duration: Math.round(performance.now() - from),
    requestHeaders: { ...masked(webhook.headers), ...own, ...signed, 'webhook-signature': mask },
  })
  try {
    const answer = await outgoing.request(webhook.url, request)
    const { status } = answer
    const delivered = status >= 200 && status < 300
    const error = delivered ? null : `The answer was ${status}`
    return told({ delivered, status, head: await headOf(answer), error })
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    return told({ delivered: false, status: null, head: null, error: error.message })
  }
}

type Opened = Secrets & { headers: Record<string, string> }

/** A row is read once for many deliveries, and opening its secrets took a fifth of the time of each. */
const remembered = new WeakMap<WebhookRow, Opened>()

const opened = (keys: Keys, webhook: WebhookRow): Opened => {
  const known = remembered.get(webhook)
  if (known) return known
  const headers = Object.entries(webhook.headers).map(([name, value]) => [
    name.toLowerCase(),
    keys.decrypt(value),
  ])
  const made: Opened = {
    secret: keys.decrypt(webhook.secret),
    previous: webhook.previous_secret && keys.decrypt(webhook.previous_secret),
    previousUntil: webhook.previous_secret_until,
    headers: Object.fromEntries(headers),
  }
  remembered.set(webhook, made)
  return made
}

const masked = (headers: Record<string, string>) =>
  Object.fromEntries(Object.keys(headers).map((name) => [name.toLowerCase(), mask]))

const secretHeaders = new Set(['set-cookie', 'authorization', 'www-authenticate', 'proxy-authenticate'])

/** The head of the answer and where there is room the beginning of its body. It has been received: a body that breaks off does not undo that. */
const headOf = async ({ headers, excerpt }: OutgoingAnswer): Promise<string> => {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    secretHeaders.has(name) || value === undefined ? [] : [`${name}: ${value}`],
  )
  const body = await excerpt().catch(() => Buffer.alloc(0))
  return textOf(`${lines.join('\n')}\n\n${body.toString()}`)
}

/** PostgreSQL stores no NUL. */
const textOf = (text: string): string => {
  const bytes = Buffer.from(text.replaceAll('\0', '\ufffd'))
  return bytes.length <= headBytes ? bytes.toString() : wholeCharacters(bytes.subarray(0, headBytes))
}

const wholeCharacters = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true })
