import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FilterAPI } from 'node-av/api'
import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
} from 'node-av/constants'
import { type Frame, Rational, type Stream } from 'node-av/lib'
import type { MadeFile } from '../orders.ts'
import { filtered } from './input.ts'
import { openEncoder } from './output.ts'
import { collectPeaks } from './peaks.ts'

const rates = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]

type SoundKind = 'aac' | 'libopus'
const kinds = {
  aac: { format: AV_SAMPLE_FMT_FLTP, name: 'fltp', perChannel: 64_000, frame: 1024 },
  libopus: { format: AV_SAMPLE_FMT_S16, name: 's16', perChannel: 48_000, frame: 960 },
}

/** One or two channels, at most what the source has; more bits than it had would only be larger. */
export const openSoundEncoder = async (kind: SoundKind, { codecpar }: Stream) => {
  const { format, name, perChannel, frame } = kinds[kind]
  const channels = codecpar.channels === 1 ? 1 : 2
  const rate = kind === 'libopus' ? 48_000 : (rates.find((known) => known >= codecpar.sampleRate) ?? 48_000)
  const had = Number(codecpar.bitRate) || Number.POSITIVE_INFINITY
  const bitrate = Math.max(24_000, Math.min(channels * perChannel, had))
  const encoder = await openEncoder(kind, (context) => {
    context.sampleFormat = format
    context.sampleRate = rate
    context.channelLayout = channels === 1 ? AV_CHANNEL_LAYOUT_MONO : AV_CHANNEL_LAYOUT_STEREO
    context.timeBase = new Rational(1, rate)
    context.bitRate = BigInt(bitrate)
  })
  const layout = channels === 1 ? 'mono' : 'stereo'
  const filter = FilterAPI.create(
    `aformat=sample_fmts=${name}:sample_rates=${rate}:channel_layouts=${layout},asetnsamples=n=${frame}:p=0,asetpts=N`,
  )
  return {
    encoder,
    bitrate,
    take: (frame: Frame | null) => filtered(filter, frame, encoder.encode),
    async end(): Promise<void> {
      await filtered(filter, null, encoder.encode)
      await encoder.encode(null)
      filter.close()
    },
  }
}

/** How loud it is by EBU R 128, what its waveform looks like, and how long it is. */
export const measureSound = () => {
  const meter = FilterAPI.create('ebur128=metadata=1')
  const packed = FilterAPI.create('aformat=sample_fmts=flt')
  const peaks = collectPeaks()
  let loudness: string | undefined
  let samples = 0
  let rate = 0
  const gauge = (frame: Frame) => {
    // What is left at the end is shorter than a block and has no figure.
    loudness = frame.getMetadata().get('lavfi.r128.I') ?? loudness
  }
  const draw = (frame: Frame) => {
    const [bytes] = frame.data!
    samples += frame.nbSamples
    rate = frame.sampleRate
    const count = frame.nbSamples * frame.channels
    peaks.add(new Float32Array(bytes!.buffer, bytes!.byteOffset, count), frame.channels)
  }
  return {
    async take(frame: Frame | null): Promise<void> {
      await filtered(meter, frame, gauge)
      await filtered(packed, frame, draw)
    },
    seconds: () => (rate ? samples / rate : 0),
    /** In LUFS; −70 is silence. Null where it is shorter than a block of 0.4 seconds. */
    loudness: (): number | null => (loudness === undefined ? null : Math.round(Number(loudness) * 10) / 10),
    /** In the form that waveform players read. */
    async writePeaks(folder: string): Promise<MadeFile> {
      const data = peaks.pairs()
      const length = data.length / 2
      const samples_per_pixel = Math.max(1, Math.round(samples / Math.max(1, length)))
      const shape = { version: 2, channels: 1, sample_rate: rate, samples_per_pixel, bits: 8, length, data }
      await writeFile(join(folder, 'peaks.json'), JSON.stringify(shape))
      return { name: 'peaks.json', label: 'Peaks', mime_type: 'application/json' }
    },
  }
}
