import type { FieldError } from '../../errors.ts'
import { isAllowedHeader } from '../../outgoing/headers.ts'
import type { Keys } from '../../secrets.ts'

export type Headers = Record<string, string>

/** Stands for a value that is there; sent back, it leaves the value as it is. */
export const mask = '********'

/** What every call has of its own. */
const own = /^(webhook-|content-|user-agent$|accept)/i

export const headerFaults = (headers: Headers | null | undefined, stored: Headers): FieldError[] => {
  const names = Object.keys(headers ?? {})
  const fault = (name: string, message: string): FieldError[] => [{ path: `headers.${name}`, message }]
  return names.flatMap((name, index) => {
    const isTwice = names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) < index
    if (isTwice) return fault(name, 'is there twice: case makes no difference')
    if (own.test(name)) return fault(name, 'is set by the service')
    if (!isAllowedHeader(name, headers![name]!)) return fault(name, 'is not a header that may be sent')
    return headers![name] === mask && !Object.hasOwn(stored, name)
      ? fault(name, 'is masked, and no value is known for it')
      : []
  })
}

/** What was there and is the same stays as it is encrypted, so that it is no change. */
export const sealHeaders = (keys: Keys, headers: Headers, stored: Headers): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const sealed = Object.hasOwn(stored, name) ? stored[name]! : undefined
      const isSame = sealed !== undefined && (value === mask || keys.decrypt(sealed) === value)
      return [name, isSame ? sealed : keys.encrypt(value)]
    }),
  )
