import { Forbidden } from '../../errors.ts'
import { qualities } from '../../media/orders.ts'
import type { Served } from './served.ts'
import type { Fit, Format, Sizes } from './transform.ts'

/** A picture as it will be made: every choice is made, and equal results have equal plans. */
export type Plan = {
  width: number | undefined
  height: number | undefined
  fit: Fit
  quality: number
  format: Format
  focal: { x: number; y: number } | undefined
}

/** Anybody may ask for the sizes of the environment's list; they are few, so nobody can fill the disk with them. */
export const requireListed = ({ width, height, quality }: Sizes, widths: readonly number[]): void => {
  const isListed = [width, height].every((side) => side === undefined || widths.includes(side))
  if (!isListed || quality !== undefined)
    throw new Forbidden('this size needs a signature', { type: 'SignatureRequired' })
}

type Source = { width: number | undefined; height: number | undefined; opaque: boolean }

export const planOf = (asset: Served, source: Source, sizes: Sizes, accept: string | undefined): Plan => {
  const format = sizes.format ?? preferred(accept, source.opaque)
  const fit = sizes.fit ?? 'cover'
  const isCropped = fit === 'cover' && sizes.width !== undefined && sizes.height !== undefined
  const { focal_x, focal_y } = asset
  return {
    ...(isCropped ? cropped(sizes, source) : within(sizes, source, Math.max(...asset.widths, 0) || 1280)),
    fit: isCropped ? 'cover' : 'contain',
    quality: format === 'png' ? qualities.png : (sizes.quality ?? qualities[format]),
    format,
    focal: isCropped ? { x: focal_x ?? 0.5, y: focal_y ?? 0.5 } : undefined,
  }
}

/** Never larger than the source: a crop keeps its shape and becomes smaller. */
const cropped = ({ width = 1, height = 1 }: Sizes, source: Source) => {
  const scale = Math.min(1, (source.width ?? width) / width, (source.height ?? height) / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

const within = ({ width, height }: Sizes, source: Source, widest: number) => {
  const asked = width ?? (height === undefined ? widest : undefined)
  const least = (side: number | undefined, most: number | undefined) =>
    side === undefined ? undefined : Math.min(side, most ?? side)
  return { width: least(asked, source.width), height: least(height, source.height) }
}

/** The smallest format that the caller says it takes. `*` + `/*` says nothing about new ones. */
const preferred = (accept = '', opaque: boolean): Format => {
  const taken = new Set(
    accept
      .split(',')
      .filter(isWanted)
      .map((item) => item.split(';', 1)[0]!.trim()),
  )
  if (taken.has('image/avif')) return 'avif'
  if (taken.has('image/webp')) return 'webp'
  return opaque ? 'jpeg' : 'png'
}

const isWanted = (item: string): boolean => !/;\s*q=0(\.0*)?\s*(;|$)/.test(item)

/** The last part of a key of the storage. */
export const fileOf = ({ width, height, fit, quality, format, focal }: Plan): string => {
  const size = `w${width ?? ''}h${height ?? ''}`
  const point = focal ? `-x${Math.round(focal.x * 1000)}y${Math.round(focal.y * 1000)}` : ''
  return `${size}-${fit}${point}-q${quality}.${format}`
}
