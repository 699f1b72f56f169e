import { hash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { sameText } from '../../secrets.ts'
import { type Sizes, type Transform, writeTransform } from './transform.ts'

/** What is needed of an asset to tell its addresses. */
type Addressed = {
  id: string
  sha256: string | null
  original_name: string | null
  derivatives: unknown
  focal_x: number | null
  focal_y: number | null
  private: boolean
}

/** A picture to measure, the original, or a file made of it, by its name. */
export type Wanted = { sizes: Sizes } | { original: true } | { file: string }

type Signing = Pick<Context, 'config' | 'keys'>

/** How long an address of a private asset is good for, unless told otherwise. */
export const goodFor = 3600
/** Addresses stay the same for a quarter of an hour, so that browsers know what they hold. */
const stableFor = 900

/**
 * Where a file of the asset is read. The address changes whenever the bytes behind it may, so they can be kept for ever.
 * What a private asset or an unlisted size needs stands in the path and not in the query: the segments of a stream are
 * asked for by names relative to their playlist, and so bring it along.
 */
export const mediaUrl = (
  signing: Signing,
  asset: Addressed,
  wanted: Wanted,
  { seconds, signed = false }: { seconds?: number; signed?: boolean } = {},
): string => {
  const tokens = 'sizes' in wanted ? writeTransform(wanted.sizes) : 'original' in wanted ? ['original'] : []
  tokens.push(`v_${versionOf(asset)}`)
  if (asset.private || seconds !== undefined) tokens.push(`e_${expiry(seconds ?? goodFor)}`)
  const text = tokens.join(',')
  const isSigned = signed || asset.private || seconds !== undefined
  const folder = isSigned ? `${text},s_${signatureOf(signing, asset.id, text)}` : text
  const name = 'file' in wanted ? wanted.file : nameOf(asset)
  return `${originOf(signing)}/media/${asset.id}/${folder}/${name}`
}

const originOf = ({ config }: Signing): string =>
  config.cdnHost ? `https://${config.cdnHost}` : config.publicUrl

const expiry = (seconds: number): number => {
  const until = Date.now() / 1000 + seconds
  return seconds >= stableFor ? Math.ceil(until / stableFor) * stableFor : Math.ceil(until)
}

/** Moves with everything that the files of an asset depend on. */
export const versionOf = ({ sha256, focal_x, focal_y, derivatives }: Addressed): string =>
  hash('sha256', JSON.stringify([sha256, focal_x, focal_y, derivatives]), 'hex').slice(0, 10)

const signatureOf = ({ keys }: Pick<Signing, 'keys'>, id: string, text: string): string =>
  keys.sign('media', `${id}/${text}`).slice(0, 22)

/** Whether we signed it, for this asset; how long it is good for is another question. */
export const isSigned = (
  signing: Pick<Signing, 'keys'>,
  id: string,
  { text, signature }: Transform,
): boolean => signature !== undefined && sameText(signature, signatureOf(signing, id, text))

/** For people and search engines; the id alone decides. */
const nameOf = ({ original_name }: Addressed): string => {
  const plain = (original_name ?? '').normalize('NFKD').replace(/[^\w.-]+/g, '-')
  return plain.replace(/^[.-]+/, '').slice(-80) || 'file'
}
