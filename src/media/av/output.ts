import {
  AV_CODEC_FLAG_BITEXACT,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVFMT_FLAG_BITEXACT,
  AVFMT_NOFILE,
} from 'node-av/constants'
import { Codec, CodecContext, Dictionary, FormatContext, type Frame, Packet } from 'node-av/lib'
import { check } from './input.ts'

type Options = Record<string, string | number>

/**
 * An encoder whose packets may go into several files. The same frames give the same bytes, so that work that was broken
 * off can be repeated.
 */
export const openEncoder = async (
  name: string,
  prepare: (context: CodecContext) => void,
  options: Options = {},
) => {
  const codec = Codec.findEncoderByName(name as never)
  if (!codec) throw new Error(`there is no encoder ${name}`)
  const context = new CodecContext()
  context.allocContext3(codec)
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER, AV_CODEC_FLAG_BITEXACT)
  prepare(context)
  check(await context.open2(codec, Dictionary.fromObject(options)), `opening ${name}`)
  const writers: ((packet: Packet) => Promise<void>)[] = []
  const packet = new Packet()
  packet.alloc()

  return {
    context,
    writers,
    /** One frame, or null for the last packets. */
    async encode(frame: Frame | null): Promise<void> {
      check(context.sendFrameSync(frame), `encoding with ${name}`)
      for (let got = context.receivePacketSync(packet); ; got = context.receivePacketSync(packet)) {
        if (got === AVERROR_EAGAIN || got === AVERROR_EOF) return
        check(got, `encoding with ${name}`)
        for (const write of writers) await write(packet)
        packet.unref()
      }
    },
    close(): void {
      packet.free()
      context.freeContext()
    },
  }
}
export type OpenEncoder = Awaited<ReturnType<typeof openEncoder>>

/** A file that takes the packets of these encoders from now on. */
export const openOutput = async (
  path: string,
  format: string,
  encoders: OpenEncoder[],
  options: Options = {},
) => {
  const context = new FormatContext()
  check(context.allocOutputContext2(null, format, path), `opening ${format}`)
  context.setFlags(AVFMT_FLAG_BITEXACT)
  const streams = encoders.map((encoder) => {
    const stream = context.newStream(null)
    check(stream.codecpar.fromContext(encoder.context), 'describing a stream')
    stream.timeBase = encoder.context.timeBase
    stream.avgFrameRate = encoder.context.framerate
    return stream
  })
  if (!context.oformat!.hasFlags(AVFMT_NOFILE)) check(await context.openOutput(), `opening ${path}`)
  check(await context.writeHeader(Dictionary.fromObject(options)), `beginning ${path}`)
  for (const [index, encoder] of encoders.entries())
    encoder.writers.push(async (packet) => {
      using own = packet.clone()!
      own.streamIndex = index
      own.rescaleTs(encoder.context.timeBase, streams[index]!.timeBase)
      check(context.interleavedWriteFrameSync(own), `writing ${path}`)
    })
  return {
    /** As players name what they must be able to decode. */
    codecs: streams.map((stream) => stream.codecpar.getCodecString()),
    async close(): Promise<void> {
      check(await context.writeTrailer(), `ending ${path}`)
      if (!context.oformat!.hasFlags(AVFMT_NOFILE)) await context.closeOutput()
      context.freeContext()
    },
  }
}
