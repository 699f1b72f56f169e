import type { Context } from '../../context.ts'
import type { EnvironmentRow } from '../access/table.ts'
import { mediaUrl } from '../media-serving/addresses.ts'
import type { AssetRow } from './table.ts'

/** The widths that pictures come in, unsigned. */
export const widthsOf = ({ settings }: Pick<EnvironmentRow, 'settings'>): readonly number[] =>
  (settings.image_widths as number[] | null | undefined) ?? [160, 320, 640, 960, 1280, 1920, 2560]

type Signing = Pick<Context, 'config' | 'keys'>

/** The file as it was uploaded. Null while there is none. */
export const storageFile = (row: AssetRow) =>
  row.sha256 === null
    ? null
    : {
        name: row.original_name,
        size: row.size,
        mime_type: row.mime_type,
        checksum: `sha256:${row.sha256}`,
        width: row.width,
        height: row.height,
        duration: row.duration,
      }

/** All that can be read of an asset, with addresses: the original, what was made of it, and pictures in each width. */
export const cdnFiles = (signing: Signing, row: AssetRow, widths: readonly number[]): object[] => {
  if (row.sha256 === null) return []
  const { mime_type, size, width, height } = row
  const original = {
    label: 'original',
    name: row.original_name,
    mime_type,
    size,
    width,
    height,
    url: mediaUrl(signing, row, { original: true }),
  }
  const made = row.derivatives.map((file) => ({ ...file, url: mediaUrl(signing, row, { file: file.name }) }))
  return [original, ...made, ...pictures(signing, row, widths)]
}

/** What a browser is sent of these depends on what it says that it can show. */
const pictures = (signing: Signing, row: AssetRow, widths: readonly number[]): object[] => {
  const { label, status, width: most, height } = row
  const isPicture = (label === 'Photo' || label === 'Cover') && status === 'ready'
  if (!isPicture || most === null || height === null) return []
  return widths
    .filter((width) => width <= most)
    .map((width) => ({
      label: `w_${width}`,
      width,
      height: Math.max(1, Math.round((height * width) / most)),
      url: mediaUrl(signing, row, { sizes: { width } }),
    }))
}
