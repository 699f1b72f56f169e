import { FilterAPI } from 'node-av/api'
import { AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG } from 'node-av/constants'
import { type Frame, Rational } from 'node-av/lib'
import { filtered } from './input.ts'
import type { Rendition, Shape } from './ladder.ts'
import { openEncoder } from './output.ts'

/** Seconds between pictures that stand by themselves; parts of a stream begin with one, in every size at once. */
const keyEvery = 2

/** One size of a video. */
export const openRendition = async ({ width, height, bitrate }: Rendition, { rate }: Shape) => {
  const group = Math.max(1, Math.round((keyEvery * rate.num) / rate.den))
  const encoder = await openEncoder(
    'libx264',
    (context) => {
      context.width = width
      context.height = height
      context.pixelFormat = AV_PIX_FMT_YUV420P
      context.timeBase = new Rational(rate.den, rate.num)
      context.framerate = new Rational(rate.num, rate.den)
      context.sampleAspectRatio = new Rational(1, 1)
      context.gopSize = group
      context.colorRange = AVCOL_RANGE_MPEG
      context.rcMaxRate = BigInt(bitrate)
      context.rcBufferSize = 2 * bitrate
    },
    {
      preset: 'veryfast',
      crf: 23,
      profile: 'high',
      'x264-params': `keyint=${group}:min-keyint=${group}:scenecut=0`,
    },
  )
  const filter = FilterAPI.create(`scale=${width}:${height}:out_range=tv,setsar=1`)
  return {
    encoder,
    take: (frame: Frame) => filtered(filter, frame, encoder.encode),
    async end(): Promise<void> {
      await filtered(filter, null, encoder.encode)
      await encoder.encode(null)
      filter.close()
    },
  }
}
