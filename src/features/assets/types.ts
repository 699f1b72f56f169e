import type { FieldError } from '../../errors.ts'
import type { UploadedFile } from '../../storage/uploaded.ts'
import type { AssetLabel } from './table.ts'

/** 1000 MB, as the specification counts. */
export const maxAsset = 1_000_000_000

const pictures = /^image\/(jpeg|png|apng|gif|webp|avif|tiff)$/

/** What a file must be, by its bytes. Nothing that a browser could run is among them. */
const taken: Record<AssetLabel, RegExp> = {
  Photo: pictures,
  Cover: pictures,
  // Many containers hold sound with or without pictures; the processing finds out.
  Audio: /^(audio\/[\w.+-]+|application\/(ogg|mp4)|video\/(mp4|webm|ogg|quicktime|matroska|x-matroska))$/,
  Video: /^(video\/[\w.+-]+|application\/(ogg|mxf|mp4))$/,
  PDF: /^application\/pdf$/,
}

const wanted: Record<AssetLabel, string> = {
  Photo: 'a picture (JPEG, PNG, GIF, WebP, AVIF or TIFF)',
  Cover: 'a picture (JPEG, PNG, GIF, WebP, AVIF or TIFF)',
  Audio: 'an audio file',
  Video: 'a video file',
  PDF: 'a PDF file',
}

export const typeFaults = (
  label: AssetLabel,
  { mime_type }: Pick<UploadedFile, 'mime_type'>,
  path: string,
) => {
  if (mime_type !== null && taken[label].test(mime_type)) return []
  const found = mime_type ?? 'of no type that is known'
  return [{ path, message: `must be ${wanted[label]}; its bytes are ${found}` }] satisfies FieldError[]
}

/** What a file is, where nobody says. */
export const labelOf = ({ mime_type }: Pick<UploadedFile, 'mime_type'>): AssetLabel | undefined =>
  (['Photo', 'PDF', 'Video', 'Audio'] as const).find((label) => taken[label].test(mime_type ?? ''))
