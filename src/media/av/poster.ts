import { join } from 'node:path'
import { FilterAPI } from 'node-av/api'
import type { Frame } from 'node-av/lib'
import sharp from 'sharp'
import type { MadeFile } from '../orders.ts'
import { standIns } from '../pictures.ts'
import { filtered } from './input.ts'
import type { Rendition } from './ladder.ts'

/** The first pictures of a video are often black. */
const latest = 3

/** A still of the video, from a tenth of it. */
export const choosePoster = (seconds: number | undefined) => {
  const from = Math.min(latest, (seconds ?? 0) / 10)
  let chosen: Frame | undefined
  let isEarly = true
  return {
    offer(frame: Frame, at: number): void {
      if (chosen && !(isEarly && at >= from)) return
      isEarly = at < from
      chosen?.free()
      chosen = frame.clone()!
    },
    async write(folder: string, { width, height }: Rendition) {
      const filter = FilterAPI.create(`scale=${width}:${height},format=rgb24`)
      let pixels: Buffer | undefined
      await filtered(filter, chosen!, (frame) => {
        pixels = frame.toBuffer()
      })
      chosen!.free()
      filter.close()
      const image = sharp(pixels!, { raw: { width, height, channels: 3 } })
      await image.clone().jpeg({ quality: 80, mozjpeg: true }).toFile(join(folder, 'poster.jpg'))
      await image.clone().webp({ quality: 78 }).toFile(join(folder, 'poster.webp'))
      const files: MadeFile[] = [
        { name: 'poster.jpg', label: 'Poster', mime_type: 'image/jpeg', width, height },
        { name: 'poster.webp', label: 'Poster', mime_type: 'image/webp', width, height },
      ]
      return { files, details: await standIns(image) }
    },
  }
}
