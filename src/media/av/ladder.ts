import { AV_PKT_DATA_DISPLAYMATRIX, AVCOL_TRC_ARIB_STD_B67, AVCOL_TRC_SMPTE2084 } from 'node-av/constants'
import type { Stream } from 'node-av/lib'
import { Refused } from '../orders.ts'

/** 8K; a frame of it is 50 MB, and decoders keep up to 16. */
export const maxPixels = 36_000_000
const smallest = 16
const maxRate = 60

/** By the shorter side, so that upright videos get the same. Bits per second at the most, at 30 frames. */
const steps = [
  { side: 1080, bitrate: 5_000_000 },
  { side: 720, bitrate: 2_800_000 },
  { side: 360, bitrate: 800_000 },
]

export type Rendition = { width: number; height: number; bitrate: number }
export type Shape = {
  /** As it is seen: turned, and with square pixels. */
  width: number
  height: number
  rotation: number
  rate: { num: number; den: number }
  renditions: Rendition[]
  /** What makes each frame look as it should. */
  filter: string
}

/** How a video is seen, and what is to be made of it: up to three sizes, none larger than itself. */
export const shapeOf = (stream: Stream): Shape => {
  const { codecpar } = stream
  if (codecpar.width * codecpar.height > maxPixels)
    throw new Refused(`The video is ${codecpar.width} × ${codecpar.height}, which is larger than 8K.`)
  const rotation = rotationOf(stream)
  const upright = { width: Math.round(codecpar.width * aspectOf(stream)), height: codecpar.height }
  const { width, height } = rotation % 180 === 0 ? upright : { width: upright.height, height: upright.width }
  if (Math.min(width, height) < smallest)
    throw new Refused(`The video is ${width} × ${height}; at least ${smallest} × ${smallest} are needed.`)
  const rate = rateOf(stream)
  return {
    width,
    height,
    rotation,
    rate,
    renditions: ladder(width, height, rate),
    filter: looks(stream, rotation, rate),
  }
}

const ladder = (width: number, height: number, rate: Shape['rate']): Rendition[] => {
  const shorter = Math.min(width, height)
  const top = Math.min(shorter, steps[0]!.side)
  const sides = [top, ...steps.map(({ side }) => side).filter((side) => side <= top * 0.8)]
  return sides.map((side) => {
    const scale = side / shorter
    const step = steps.findLast((known) => known.side >= side) ?? steps[0]!
    const pace = Math.max(1, rate.num / rate.den / 30)
    return {
      width: even(width * scale),
      height: even(height * scale),
      bitrate: Math.round(step.bitrate * pace),
    }
  })
}

/** Colours are kept at half the size, so sides are even; what is odd gets smaller by one. */
const even = (size: number): number => Math.max(2, 2 * Math.floor(Math.round(size) / 2))

/** Telephones write beside the picture how it is to be turned, in degrees clockwise. */
const rotationOf = ({ codecpar }: Stream): number => {
  const matrix = codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX)
  if (!matrix || matrix.length < 36) return 0
  const degrees = (Math.atan2(matrix.readInt32LE(4), matrix.readInt32LE(0)) * 180) / Math.PI
  return (Math.round(degrees / 90) * 90 + 360) % 360
}

/** How wide a pixel is for its height. */
const aspectOf = ({ codecpar, sampleAspectRatio }: Stream): number => {
  const { num, den } = sampleAspectRatio.num > 0 ? sampleAspectRatio : codecpar.sampleAspectRatio
  const aspect = den > 0 ? num / den : 1
  return aspect > 0.25 && aspect < 4 ? aspect : 1
}

/** As it was taken; what is faster than eyes is divided. */
const rateOf = ({ avgFrameRate, rFrameRate }: Stream): Shape['rate'] => {
  const known = [avgFrameRate, rFrameRate].find(
    ({ num, den }) => den > 0 && num / den >= 1 && num / den <= 1000,
  )
  if (!known) return { num: 25, den: 1 }
  return { num: known.num, den: known.den * Math.ceil(known.num / known.den / maxRate - 0.001) }
}

const turns: Record<number, string[]> = {
  90: ['transpose=clock'],
  180: ['hflip', 'vflip'],
  270: ['transpose=cclock'],
}

const looks = ({ codecpar }: Stream, rotation: number, { num, den }: Shape['rate']): string => {
  const isHdr = codecpar.colorTrc === AVCOL_TRC_SMPTE2084 || codecpar.colorTrc === AVCOL_TRC_ARIB_STD_B67
  return [
    'bwdif=mode=send_frame:deint=interlaced',
    ...(isHdr ? ['tonemapx=tonemap=bt2390:t=bt709:m=bt709:p=bt709:format=yuv420p'] : []),
    `fps=${num}/${den}:start_time=0`,
    ...(turns[rotation] ?? []),
    'format=yuv420p',
  ].join(',')
}
