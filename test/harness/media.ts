import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Decoder, type DecoderOptions, Demuxer, Encoder, Muxer } from 'node-av/api'
import { AV_LOG_QUIET, AV_PKT_DATA_DISPLAYMATRIX, AV_SAMPLE_FMT_FLT } from 'node-av/constants'
import { Dictionary, Log, Packet, type Stream } from 'node-av/lib'
import sharp from 'sharp'

/** Test media is made by the encoder, so that nothing is kept in the repository and every figure is known. */

Log.setLevel(AV_LOG_QUIET)

type Track = { source: string; encoder: string; options?: Record<string, string> }
type Container = { extension: string; rotation?: number; tags?: Record<string, string> }

const withFile = async <T>(extension: string, work: (path: string) => Promise<T>): Promise<T> => {
  const path = join(tmpdir(), `marquee-test-${randomUUID()}.${extension}`)
  return work(path).finally(() => rm(path, { force: true }))
}

/** Clockwise, as players turn the picture. */
const displayMatrix = (degrees: number): Buffer => {
  const turn = (degrees * Math.PI) / 180
  const [sine, cosine] = [Math.round(Math.sin(turn)) * 65536, Math.round(Math.cos(turn)) * 65536]
  const matrix = Buffer.alloc(36)
  for (const [index, value] of [cosine, sine, 0, -sine, cosine, 0, 0, 0, 2 ** 30].entries())
    matrix.writeInt32LE(value, index * 4)
  return matrix
}

/** `Demuxer.packets` waits for its reader by spinning, which costs more than the encoding. */
async function* packetsOf(input: Demuxer, { index, timeBase }: Stream): AsyncGenerator<Packet | null> {
  using packet = new Packet()
  packet.alloc()
  while ((await input.getFormatContext().readFrame(packet)) >= 0) {
    packet.timeBase = timeBase
    if (packet.streamIndex === index) yield packet.clone()
    packet.unref()
  }
  yield null
}

const addTrack = async (output: Muxer, { source, encoder, options = {} }: Track) => {
  const input = await Demuxer.open(source, { format: 'lavfi' })
  const decoder = await Decoder.create(input.streams[0]!)
  const using = { decoder, autoResample: true, autoFormat: true, options } as never
  const encoding = await Encoder.create(encoder as never, using)
  const index = output.addStream(encoding)
  return async () => {
    for await (const packet of encoding.packets(decoder.frames(packetsOf(input, input.streams[0]!)))) {
      await output.writePacket(packet, index)
      packet?.free()
    }
    encoding.close()
    decoder.close()
    await input.close()
  }
}

const encode = ({ extension, rotation, tags }: Container, tracks: Track[]): Promise<Buffer> =>
  withFile(extension, async (path) => {
    const output = await Muxer.open(path, {
      configure(context) {
        const [first] = context.streams
        if (rotation) first!.codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, displayMatrix(rotation))
        if (tags) context.metadata = Dictionary.fromObject(tags)
      },
    })
    const runs = []
    for (const track of tracks) runs.push(await addTrack(output, track))
    await Promise.all(runs.map((run) => run()))
    await output.close()
    return readFile(path)
  })

type Tone = {
  seconds?: number
  frequency?: number
  /** The highest sample, 1 is the most there can be. */
  peak?: number
  /** Seconds after which it is silent. */
  until?: number
  rate?: number
  channels?: 1 | 2
  extension?: 'wav' | 'mp3' | 'flac' | 'ogg' | 'm4a'
  tags?: Record<string, string>
}

const audioEncoders = { wav: 'pcm_s16le', mp3: 'libmp3lame', flac: 'flac', ogg: 'libopus', m4a: 'aac' }

const sine = (wanted: Tone): string => {
  const { seconds = 1, frequency = 440, peak = 0.5, until = seconds, rate = 48_000, channels = 1 } = wanted
  const wave = `${peak}*sin(2*PI*${frequency}*t)*lt(t\\,${until})`
  return `aevalsrc=exprs=${Array(channels).fill(wave).join('|')}:s=${rate}:d=${seconds}`
}

/** A sine of a known height and length. */
export const tone = (wanted: Tone = {}): Promise<Buffer> => {
  const { extension = 'wav', tags } = wanted
  return encode({ extension, tags }, [{ source: sine(wanted), encoder: audioEncoders[extension] }])
}

type Video = {
  seconds?: number
  width?: number
  height?: number
  rate?: number
  /** Degrees clockwise, written beside the picture as telephones do. */
  rotation?: 0 | 90 | 180 | 270
  sound?: boolean
  extension?: 'mp4' | 'mov' | 'mkv' | 'webm'
}

/** A moving test picture, with a tone unless it shall be silent. */
export const video = (wanted: Video = {}): Promise<Buffer> => {
  const { seconds = 2, width = 320, height = 180, rate = 25, sound = true, extension = 'mp4' } = wanted
  const source = `testsrc2=size=${width}x${height}:rate=${rate}:duration=${seconds}`
  const isWebm = extension === 'webm'
  const picture = isWebm
    ? { source, encoder: 'libvpx', options: { deadline: 'realtime', 'cpu-used': '8' } }
    : { source, encoder: 'libx264', options: { preset: 'ultrafast' } }
  const track = { source: sine({ seconds, rate: 16_000 }), encoder: isWebm ? 'libopus' : 'aac' }
  return encode({ extension, rotation: wanted.rotation }, sound ? [picture, track] : [picture])
}

type Picture = {
  width?: number
  height?: number
  format?: 'jpeg' | 'png' | 'webp' | 'avif' | 'gif' | 'tiff'
  /** As EXIF numbers them: 6 is shown turned a quarter clockwise. */
  orientation?: number
  /** Writes where it was taken. */
  located?: boolean
  quality?: number
}

/** Quarters in reading order, so that what was turned or cut can be told. */
export const quarters = ['#ff0000', '#00ff00', '#0000ff', '#ffffff'] as const

export const picture = (wanted: Picture = {}): Promise<Buffer> => {
  const { width = 64, height = 48, format = 'jpeg', orientation, located, quality = 90 } = wanted
  const [halfWidth, halfHeight] = [Math.ceil(width / 2), Math.ceil(height / 2)]
  const quarter = (background: string, index: number) => ({
    input: { create: { width: halfWidth, height: halfHeight, channels: 3 as const, background } },
    left: (index % 2) * (width - halfWidth),
    top: Math.floor(index / 2) * (height - halfHeight),
  })
  let image = sharp({ create: { width, height, channels: 3, background: '#000' } })
    .composite(quarters.map(quarter))
    .toFormat(format, format === 'jpeg' ? { quality, chromaSubsampling: '4:4:4' } : { quality })
  if (located) image = image.withExifMerge({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 22/1 0/1' } })
  if (orientation) image = image.withMetadata({ orientation })
  return image.toBuffer()
}

/** A document of empty pages, but for a red quarter in the lower left of each. */
export const pdf = ({ pages = 1, width = 595, height = 842 } = {}): Buffer => {
  const drawing = `1 0 0 rg 0 0 ${width / 2} ${height / 2} re f`
  const kids = Array.from({ length: pages }, (_, index) => `${index + 4} 0 R`)
  const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents 3 0 R>>`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${kids.join(' ')}]>>`,
    `<</Length ${drawing.length}>>stream\n${drawing}\nendstream`,
    ...kids.map(() => page),
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj${object}endobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer<</Size ${size}/Root 1 0 R>>`
  return Buffer.from(`${text}${table}\nstartxref\n${text.length}\n%%EOF\n`, 'latin1')
}

export type Judged = { seconds: number; frames: number; width: number; height: number; peak: number }

/** What a player would come by: every frame is decoded, and nothing that the file says of itself is believed. */
export const judge = async (media: Buffer | string): Promise<{ video?: Judged; audio?: Judged }> => {
  if (Buffer.isBuffer(media))
    return withFile('media', async (path) => {
      await writeFile(path, media)
      return judge(path)
    })
  const judged: { video?: Judged; audio?: Judged } = {}
  for (const kind of ['video', 'audio'] as const) {
    const input = await Demuxer.open(media)
    const stream = input[kind]()
    if (stream) judged[kind] = await judgeStream(input, stream)
    await input.close()
  }
  return judged
}

const judgeStream = async (input: Demuxer, stream: Stream): Promise<Judged> => {
  const judged: Judged = { seconds: 0, frames: 0, width: 0, height: 0, peak: 0 }
  const isAudio = stream.codecpar.sampleRate > 0
  const options: DecoderOptions = isAudio ? { resample: { sampleFormat: AV_SAMPLE_FMT_FLT } } : {}
  const decoder = await Decoder.create(stream, options)
  for await (const frame of decoder.frames(packetsOf(input, stream))) {
    if (!frame) continue
    judged.frames += 1
    judged.width = frame.width
    judged.height = frame.height
    if (frame.isAudio()) {
      judged.seconds += frame.nbSamples / frame.sampleRate
      const bytes = frame.data![0]!
      const samples = new Float32Array(bytes.buffer, bytes.byteOffset, frame.nbSamples * frame.channels)
      for (const sample of samples) judged.peak = Math.max(judged.peak, Math.abs(sample))
    } else {
      const { num, den } = frame.timeBase
      judged.seconds = (Number(frame.pts + frame.duration) * num) / den
    }
    frame.free()
  }
  decoder.close()
  return judged
}
