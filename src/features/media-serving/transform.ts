import { type FieldError, Invalid } from '../../errors.ts'

export const fits = ['cover', 'contain'] as const
export const formats = ['avif', 'webp', 'jpeg', 'png'] as const
export type Fit = (typeof fits)[number]
export type Format = (typeof formats)[number]
export type Sizes = { width?: number; height?: number; fit?: Fit; quality?: number; format?: Format }

/** What stands between id and name in an address: `w_800,h_600,fit_cover,v_1f6a09b3c2`. */
export type Transform = {
  /** A picture made to measure, the bytes as they were uploaded, or a file made of them. */
  kind: 'image' | 'original' | 'file'
  sizes: Sizes
  version?: string
  /** Seconds of the epoch. */
  expires?: number
  signature?: string
  /** All of it but the signature: what is signed. */
  text: string
}

const maxSide = 8192

type Read = (value: string) => unknown
const integer =
  (min: number, max: number): Read =>
  (value) =>
    /^[1-9]\d{0,11}$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined
const oneOf =
  (values: readonly string[]): Read =>
  (value) =>
    values.includes(value) ? value : undefined
const matching =
  (pattern: RegExp): Read =>
  (value) =>
    pattern.test(value) ? value : undefined

const parts: Record<string, { name: string; read: Read; wants: string }> = {
  w: { name: 'width', read: integer(1, maxSide), wants: `a width from 1 to ${maxSide}` },
  h: { name: 'height', read: integer(1, maxSide), wants: `a height from 1 to ${maxSide}` },
  fit: { name: 'fit', read: oneOf(fits), wants: `one of ${fits.join(', ')}` },
  q: { name: 'quality', read: integer(1, 100), wants: 'a quality from 1 to 100' },
  f: { name: 'format', read: oneOf(formats), wants: `one of ${formats.join(', ')}` },
  v: { name: 'version', read: matching(/^[0-9a-f]{10}$/), wants: 'a version' },
  e: { name: 'expires', read: integer(1, 99_999_999_999), wants: 'a time in seconds' },
  s: { name: 'signature', read: matching(/^[\w-]{22}$/), wants: 'a signature' },
}
const sizing = new Set(['w', 'h', 'fit', 'q', 'f'])

/** Names every part that is wrong, whatever asset is asked for. */
export const parseTransform = (segment: string): Transform => {
  const tokens = segment.split(',')
  const errors: FieldError[] = []
  const found = new Map<string, unknown>()
  const complain = (message: string) => errors.push({ path: 'transform', message })
  for (const token of tokens.slice(0, 20)) {
    const [key] = token.split('_', 1) as [string]
    const part = Object.hasOwn(parts, key) ? parts[key]! : undefined
    const value = part?.read(token.slice(key.length + 1))
    if (found.has(key)) complain(`has ${key} twice`)
    else if (token === 'original') found.set(key, true)
    else if (!part) complain('has a part that is none of original, w_, h_, fit_, q_, f_, v_, e_, s_')
    else if (value === undefined) complain(`${key}_ must be followed by ${part.wants}`)
    else found.set(key, value)
  }
  const isImage = [...found.keys()].some((key) => sizing.has(key))
  if (isImage && found.has('original')) complain('has sizes, which the original cannot be given')
  if (errors.length > 0) throw new Invalid(errors)
  return {
    kind: isImage ? 'image' : found.has('original') ? 'original' : 'file',
    sizes: named(found, (key) => sizing.has(key)),
    ...named(found, (key) => !sizing.has(key) && key !== 'original'),
    text: tokens.filter((token) => !token.startsWith('s_')).join(','),
  }
}

const named = (found: Map<string, unknown>, wanted: (key: string) => boolean): object =>
  Object.fromEntries(
    [...found].filter(([key]) => wanted(key)).map(([key, value]) => [parts[key]!.name, value]),
  )

/** Written the same way whatever order it was asked in. */
export const writeTransform = (sizes: Sizes): string[] =>
  Object.entries(parts).flatMap(([key, { name }]) => {
    const value = sizes[name as keyof Sizes]
    return value === undefined ? [] : [`${key}_${value}`]
  })
