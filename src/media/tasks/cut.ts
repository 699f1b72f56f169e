import { join } from 'node:path'
import { FilterAPI } from 'node-av/api'
import { AV_CHANNEL_LAYOUT_MONO, AV_CHANNEL_LAYOUT_STEREO, AV_SAMPLE_FMT_S16 } from 'node-av/constants'
import { type Frame, Rational } from 'node-av/lib'
import { decode, filtered, openDecoder, openInput } from '../av/input.ts'
import { openEncoder, openOutput } from '../av/output.ts'
import { Refused, type Task } from '../orders.ts'

export type Cutting = {
  seconds: number
  /** In their order. `at` is when one begins, in seconds of the cut; what began before it is negative. */
  parts: { path: string; at: number }[]
  /** How exactly `at` is known: what begins so near to the end of the part before it follows without a gap. */
  exactness: number
}
/** `missing` is from which second on there is nothing, where there is too little. */
export type Cut = { rate: number; samples: number; missing?: number }

/** A pause so short, such as when a stream was connected anew, is silence. */
const longestPause = 2

/** Joins recordings and cuts them to the sample. FLAC, so that nothing is lost but what is cut off. */
export const cutSound: Task<Cutting, Cut> = async ({ output, options }, report) => {
  const { seconds, parts, exactness } = options!
  let sound: Sound | undefined
  for (const { path, at } of parts) {
    const input = await openInput(path)
    if (!input.sound) throw new Refused('A recording holds no sound.')
    sound ??= await openSound(join(output, 'cut.flac'), input.sound.codecpar, seconds)
    if (!sound.begin(at, exactness)) break
    const decoder = await openDecoder(input.sound)
    for await (const packet of input.demuxer.packets(input.sound.index)) {
      if (!packet || sound.isFull()) break
      using own = packet
      await decode(decoder, own, sound.take)
      report(sound.share())
    }
    await decode(decoder, null, sound.take)
    await sound.end()
    decoder.close()
    await input.demuxer.close()
  }
  return sound!.finish()
}

type Shape = { sampleRate: number; channels: number }
type Sound = Awaited<ReturnType<typeof openSound>>

const openSound = async (path: string, { sampleRate: rate, channels }: Shape, seconds: number) => {
  const layout = channels === 1 ? 'mono' : 'stereo'
  const encoder = await openEncoder('flac', (context) => {
    context.sampleFormat = AV_SAMPLE_FMT_S16
    context.sampleRate = rate
    context.channelLayout = channels === 1 ? AV_CHANNEL_LAYOUT_MONO : AV_CHANNEL_LAYOUT_STEREO
    context.timeBase = new Rational(1, rate)
  })
  const file = await openOutput(path, 'flac', [encoder])
  const joined = FilterAPI.create(
    `aformat=sample_fmts=s16,asetnsamples=n=${encoder.context.frameSize}:p=0,asetpts=N`,
  )
  const total = Math.round(seconds * rate)
  let written = 0
  /** Where the part that is read ends so far, in samples of the cut. */
  let position = 0
  let isFirst = true
  let same: FilterAPI | undefined
  let trimmed: FilterAPI | undefined

  const write = async (frame: Frame): Promise<void> => {
    written += frame.nbSamples
    await filtered(joined, frame, encoder.encode)
  }
  const trim = async (frame: Frame): Promise<void> => {
    position += frame.nbSamples
    if (written < total) await filtered(trimmed!, frame, write)
  }

  return {
    /** False where too much is missing before it. */
    begin(at: number, exactness: number): boolean {
      const start = Math.round(at * rate)
      const follows = !isFirst && Math.abs(start - position) < exactness * rate
      if (!follows) position = start
      const pause = Math.max(0, position - written)
      if (pause > longestPause * rate || (isFirst && pause > 0)) return false
      isFirst = false
      const skipped = Math.max(0, written - position)
      same = FilterAPI.create(
        `aformat=sample_fmts=s16:sample_rates=${rate}:channel_layouts=${layout},asetpts=N`,
      )
      trimmed = FilterAPI.create(
        `atrim=start_sample=${skipped},asetpts=N,adelay=${pause}S:all=1,atrim=end_sample=${total - written}`,
      )
      return true
    },
    take: (frame: Frame) => filtered(same!, frame, trim),
    async end(): Promise<void> {
      await filtered(same!, null, trim)
      await filtered(trimmed!, null, write)
      same!.close()
      trimmed!.close()
    },
    isFull: () => position >= total,
    share: () => Math.min(1, written / total),
    async finish(): Promise<Cut> {
      await filtered(joined, null, encoder.encode)
      await encoder.encode(null)
      await file.close()
      encoder.close()
      return { rate, samples: written, ...(written < total && { missing: written / rate }) }
    },
  }
}
