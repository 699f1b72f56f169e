import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import sharp from 'sharp'
import { type Facts, type MadeFile, Refused, type Task } from '../orders.ts'
import { standIns } from '../pictures.ts'

/** It is read whole, and once more inside; together with what it unpacks this must fit. */
const maxBytes = 400_000_000
const longerSide = 1600

/** The number of pages, and a picture of the first one. */
export const processPdf: Task<never, Facts> = async ({ input, output: folder }) => {
  if ((await stat(input)).size > maxBytes)
    throw new Refused(`The document is over ${maxBytes / 1_000_000} MB, of which no picture can be made.`)
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(await readFile(input)).catch((error: Error) => {
    throw new Refused(
      /password/i.test(error.message)
        ? 'The document is protected by a password.'
        : 'The file is not a PDF document that can be read, or it is damaged or cut off.',
    )
  })
  const pages = document.getPageCount()
  if (pages < 1) throw new Refused('The document has no page.')
  const page = document.getPage(0)
  const { originalWidth, originalHeight } = page.getOriginalSize()
  if (!(originalWidth > 0 && originalHeight > 0))
    throw new Refused('The document is damaged: its first page cannot be read.')
  const scale = longerSide / Math.max(originalWidth, originalHeight)
  const size = {
    width: Math.max(1, Math.round(originalWidth * scale)),
    height: Math.max(1, Math.round(originalHeight * scale)),
  }
  const { data } = await page.render({ render: 'bitmap', ...size })
  const image = sharp(data, { raw: { ...size, channels: 4 } }).flatten({ background: '#fff' })
  const files: MadeFile[] = [
    { name: 'page.jpg', label: 'Page', mime_type: 'image/jpeg', ...size },
    { name: 'page.webp', label: 'Page', mime_type: 'image/webp', ...size },
  ]
  await image.clone().jpeg({ quality: 80, mozjpeg: true }).toFile(join(folder, 'page.jpg'))
  await image.clone().webp({ quality: 78 }).toFile(join(folder, 'page.webp'))
  return { ...size, details: { pages, ...(await standIns(image)) }, files }
}
