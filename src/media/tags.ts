import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseFile, selectCover } from 'music-metadata'
import type { MadeFile } from './orders.ts'
import { openPicture, standIns } from './pictures.ts'

const longest = 500
const coverSide = 1000

type Cover = { file: MadeFile; details: Record<string, unknown> }

/** What the file says of itself, and the picture it brings along; a file with spoilt tags can be heard all the same. */
export const readTags = async (
  path: string,
  folder: string,
): Promise<{ tags: Record<string, string | number>; cover?: Cover }> => {
  const parsed = await parseFile(path, { duration: false }).catch(() => undefined)
  if (!parsed) return { tags: {} }
  const { title, artist, album, year, track, genre, isrc } = parsed.common
  const found = { title, artist, album, year, track: track?.no, genre: genre?.[0], isrc: isrc?.[0] }
  const tags = Object.fromEntries(
    Object.entries(found).flatMap(([name, value]) => (value ? [[name, plain(value)]] : [])),
  )
  const picture = selectCover(parsed.common.picture)
  const cover = picture ? await makeCover(picture.data, folder).catch(() => undefined) : undefined
  return { tags, cover }
}

const plain = (value: string | number): string | number =>
  typeof value === 'number' ? value : value.toWellFormed().replaceAll('\0', '').slice(0, longest)

const makeCover = async (bytes: Uint8Array, folder: string): Promise<Cover> => {
  const raw = join(folder, 'cover')
  await writeFile(raw, bytes)
  try {
    const { image } = await openPicture(raw)
    const details = await standIns(image.clone())
    const { width, height } = await image
      .resize(coverSide, coverSide, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .jpeg({ quality: 80, mozjpeg: true })
      .toFile(join(folder, 'cover.jpg'))
    return { details, file: { name: 'cover.jpg', label: 'Cover', mime_type: 'image/jpeg', width, height } }
  } finally {
    await rm(raw, { force: true })
  }
}
