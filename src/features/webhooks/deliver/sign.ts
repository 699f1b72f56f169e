import { createHmac } from 'node:crypto'

/** What signs: the secret, and while it is being replaced the one before it too. */
export type Secrets = { secret: string; previous: string | null; previousUntil: Date | null }

/** The headers of Standard Webhooks. Receivers accept a message if any of its signatures is right. */
export const signedHeaders = (
  id: string,
  body: string,
  { secret, previous, previousUntil }: Secrets,
  now: Date,
) => {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const isRotating = previous !== null && previousUntil !== null && previousUntil > now
  const signatures = (isRotating ? [secret, previous] : [secret]).map(
    (one) => `v1,${signature(one, `${id}.${timestamp}.${body}`)}`,
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

const signature = (secret: string, signed: string): string =>
  createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(signed)
    .digest('base64')
