import type { Facts, Task } from '../orders.ts'
import { openPicture, standIns } from '../pictures.ts'

/** Pictures are made to measure when they are asked for; here it is found out what there is. */
export const processImage: Task<never, Facts> = async ({ input }) => {
  const { header, image } = await openPicture(input)
  const { width, height } = header.autoOrient
  const details: Record<string, unknown> = await standIns(image)
  if (header.hasAlpha) details.transparent = true
  if ((header.pages ?? 1) > 1) details.frames = header.pages
  return { width, height, details, files: [] }
}
