/** What a browser shows or plays and cannot run. Anything else is downloaded, whatever it says it is. */
const shown = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'image/gif',
  'audio/mpeg',
  'audio/mp4',
  'audio/x-m4a',
  'audio/aac',
  'audio/ogg',
  'audio/opus',
  'audio/wav',
  'audio/vnd.wave',
  'audio/flac',
  'audio/x-flac',
  'audio/webm',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'video/mp2t',
  'video/iso.segment',
  'application/vnd.apple.mpegurl',
])

/** Types that may be named although they are only downloaded: an `<img>` shows an SVG, and no script of it runs there. */
const named = new Set([
  'image/svg+xml',
  'application/pdf',
  'application/json',
  'image/tiff',
  'image/heic',
  'image/bmp',
])

export const isShown = (mimeType: string | null): boolean => mimeType !== null && shown.has(mimeType)

export const contentType = (mimeType: string | null): string =>
  mimeType !== null && (shown.has(mimeType) || named.has(mimeType)) ? mimeType : 'application/octet-stream'

/** Even what slips through can do nothing: no script, no form, no origin. */
export const policy =
  "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; sandbox"

/** A name that people gave, written so that no character of it can end the value. */
export const disposition = (mimeType: string | null, name: string | null): string => {
  const plain = (name ?? 'file').replace(/[^\w .-]/g, '_').slice(0, 150)
  const encoded = encodeURIComponent((name ?? 'file').slice(0, 150).toWellFormed()).replace(
    /['()*]/g,
    escaped,
  )
  const kind = isShown(mimeType) ? 'inline' : 'attachment'
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

const escaped = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`
