import type { Marquee } from 'marquee-sdk'
import { formatBytes, formatDuration, formatNumber } from '../../components/format.ts'
import { t } from '../../texts/index.ts'

export type Asset = Marquee.Asset
export type AssetLabel = Asset['label']
type CdnFile = NonNullable<Asset['cdn_files']>[number]

export const rowFields = 'cdn_files,storage_file,details'

export const nameOf = (asset: Pick<Asset, 'name' | 'original_name'>): string =>
  asset.name || asset.original_name || t.common.unnamed

/** From the page's own origin, under whatever name that was opened: no leave of another is needed to read it. */
export const ownAddress = (url: string): string => {
  const { pathname, search } = new URL(url, location.href)
  return pathname + search
}

export const fileOf = ({ cdn_files = [] }: Asset, ...names: string[]): CdnFile | undefined =>
  names.map((name) => cdn_files.find((file) => file.name === name)).find((file) => file?.url)

export const addressOf = (asset: Asset, ...names: string[]): string | undefined => {
  const url = fileOf(asset, ...names)?.url
  return url && ownAddress(url)
}

export const originalOf = ({ cdn_files = [] }: Asset): string | undefined => {
  const url = cdn_files.find(({ label }) => label === 'original')?.url
  return url && ownAddress(url)
}

/** A picture of it that is at least as wide, where there is one: of a video its poster, of a document its first page. */
export const pictureOf = (asset: Asset, width: number): string | undefined => {
  if (asset.status !== 'ready') return undefined
  const made = addressOf(asset, 'poster.webp', 'page.webp', 'cover.jpg')
  if (made) return made
  if (!isPicture(asset)) return undefined
  const sizes = (asset.cdn_files ?? []).filter(({ label }) => label?.startsWith('w_'))
  const url = (sizes.find((file) => (file.width ?? 0) >= width) ?? sizes.at(-1))?.url
  return url ? ownAddress(url) : originalOf(asset)
}

export const isPicture = ({ label }: Pick<Asset, 'label'>): boolean => label === 'Photo' || label === 'Cover'

/** "Photo · 1600 × 900 · 2.1 MB". */
export const factsOf = ({ label, storage_file: file, details }: Asset): string[] =>
  [
    t.media.labels[label],
    file?.width && file.height ? `${formatNumber(file.width)} × ${formatNumber(file.height)}` : '',
    file?.duration ? formatDuration(file.duration) : '',
    details?.pages ? t.media.pages(Number(details.pages)) : '',
    file?.size ? formatBytes(file.size) : '',
  ].filter(Boolean)

const byExtension: Record<string, AssetLabel> = {
  mkv: 'Video',
  avi: 'Video',
  flv: 'Video',
  mov: 'Video',
  mpg: 'Video',
  mpeg: 'Video',
  flac: 'Audio',
  wma: 'Audio',
  aif: 'Audio',
  aiff: 'Audio',
  opus: 'Audio',
  m4a: 'Audio',
  avif: 'Photo',
  tif: 'Photo',
  tiff: 'Photo',
}

/** What a file will be, as far as the browser can tell; undefined for what is not taken. */
export const labelOf = ({ type, name }: File): AssetLabel | undefined => {
  if (type === 'image/svg+xml') return undefined
  if (type === 'application/pdf') return 'PDF'
  const kinds = { image: 'Photo', audio: 'Audio', video: 'Video' } as const
  return kinds[type.split('/')[0] as keyof typeof kinds] ?? byExtension[name.split('.').at(-1)!.toLowerCase()]
}

const accepted: Record<AssetLabel, string> = {
  Photo: 'image/jpeg,image/png,image/webp,image/avif,image/gif,image/tiff',
  Cover: 'image/jpeg,image/png,image/webp,image/avif,image/gif,image/tiff',
  Audio: 'audio/*',
  Video: 'video/*,.mkv',
  PDF: 'application/pdf',
}
export const acceptOf = (labels: readonly AssetLabel[] = ['Photo', 'Audio', 'Video', 'PDF']): string =>
  labels.map((label) => accepted[label]).join(',')
