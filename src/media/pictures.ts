import sharp, { type Metadata, type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { Refused } from './orders.ts'

/** 10,000 × 10,000; decoded at once this is 400 MB, and twice that with 16 bits. */
const maxPixels = 100_000_000
const thumb = 100

/** Only what is a picture through and through: documents and drawings can refer to other files. */
const readable = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Tiff']
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: readable.map((name) => `VipsForeignLoad${name}File`) })
sharp.cache(false)
// Several pictures at once are faster than several threads for each, and need less memory.
sharp.concurrency(1)

const million = (pixels: number): string => `${Math.round(pixels / 1_000_000)} million pixels`

/** Reads the header and nothing else: what is too large is never decoded. */
const readHeader = async (path: string): Promise<Metadata> => {
  const header = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch((error: Error) => {
      throw new Refused(
        /unsupported image format/.test(error.message)
          ? 'The file is not a picture of a type that can be read: JPEG, PNG, WebP, AVIF, GIF or TIFF.'
          : 'The picture is damaged: its beginning cannot be read.',
      )
    })
  const pixels = header.width * (header.pageHeight ?? header.height)
  if (pixels > maxPixels)
    throw new Refused(`The picture has ${million(pixels)}; at most ${million(maxPixels)} are allowed.`)
  return header
}

/** A picture the way it is to be seen; of several frames or pages the first. */
export const openPicture = async (path: string): Promise<{ header: Metadata; image: Sharp }> => {
  const header = await readHeader(path)
  return { header, image: sharp(path, { limitInputPixels: maxPixels, failOn: 'error' }).autoOrient() }
}

/** Decoding tells what a header cannot: that the rest is missing or spoilt. */
export const decoded = async <T>(work: Promise<T>): Promise<T> =>
  work.catch(() => {
    throw new Refused('The picture is damaged or cut off: it cannot be decoded.')
  })

/** What stands in for a picture until it has come: a hash of some 25 bytes, and the colour most of it has. */
export const standIns = async (image: Sharp): Promise<{ placeholder: string; colour: string }> => {
  const { data, info } = await decoded(
    image
      .resize(thumb, thumb, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
  )
  const { width, height } = info
  const { dominant } = await sharp(data, { raw: { width, height, channels: 4 } }).stats()
  const colour = [dominant.r, dominant.g, dominant.b].map((part) => part.toString(16).padStart(2, '0'))
  const placeholder = Buffer.from(rgbaToThumbHash(width, height, data)).toString('base64')
  return { placeholder, colour: `#${colour.join('')}` }
}
