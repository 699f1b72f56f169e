import { Secret, TOTP } from 'otpauth'
import type { Keys } from '../../secrets.ts'

const period = 30

const totpOf = (secret: Secret, label = 'Marquee') =>
  new TOTP({ issuer: 'Marquee', label, secret, period, digits: 6, algorithm: 'SHA1' })

/** A new secret: as an authenticator app takes it, and sealed as it is stored. */
export const newTotp = (keys: Keys, label: string) => {
  const secret = new Secret({ size: 20 })
  const uri = totpOf(secret, label).toString()
  return { secret: secret.base32, uri, sealed: keys.encrypt(secret.base32) }
}

/** The step that a code belongs to, if it is right within a step of now. A step that was used must not count again. */
export const stepOf = (keys: Keys, sealed: string | null, code: string): number | undefined => {
  if (!sealed || !/^\d{6}$/.test(code)) return undefined
  const timestamp = Date.now()
  const delta = totpOf(Secret.fromBase32(keys.decrypt(sealed))).validate({
    token: code,
    timestamp,
    window: 1,
  })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / period) + delta
}
