import { isUtf8 } from 'node:buffer'

/** Text of which each character is a byte, as UTF-8; undefined where it is none. */
export const decode = (bytes: string): string | undefined => {
  if (!/[\x80-\xff]/.test(bytes)) return bytes
  const whole = Buffer.from(bytes, 'latin1')
  return isUtf8(whole) ? whole.toString() : undefined
}

/** A name of the caller's own as an error shows it. */
export const shown = (name: string): string =>
  (name.length > 100 ? `${name.slice(0, 100)}…` : name).toWellFormed()
