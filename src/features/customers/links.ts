import type { Config } from '../../config.ts'
import { type Keys, sha256 } from '../../secrets.ts'
import type { SignInRequestRow } from './table.ts'

export const linkMinutes = 15

/**
 * The temporary token of a request, worked out anew by every try to mail it: it stands nowhere but in the letter, and
 * a letter that goes out twice holds the same link.
 */
export const temporaryToken = (keys: Keys, { environment_id, id }: SignInRequestRow): string =>
  `mqt_${keys.sign('magic-link', `${environment_id} ${id}`)}`

export const hashOf = (token: string): Buffer => sha256(token)

/** Links are made from the configuration, never from what a caller sent. */
export const linkOf = (config: Config, token: string): string => {
  const url = new URL(`${config.publicUrl}/customers/sign_in/${token}`)
  const [host, port] = (config.customersHost ?? '').split(':')
  if (host) url.hostname = host
  if (port) url.port = port
  return url.href
}
