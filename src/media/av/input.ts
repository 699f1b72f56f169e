import { stat } from 'node:fs/promises'
import { Decoder, Demuxer, type FilterAPI } from 'node-av/api'
import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_LOG_QUIET,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants'
import { avGetCodecName, type Frame, Log, Packet, type Stream } from 'node-av/lib'
import { Refused, type Report } from '../orders.ts'
import { wholePart } from './wav.ts'

Log.setLevel(AV_LOG_QUIET)

/** Files that hold their own sound and pictures; nothing among them is a list of other files or addresses. */
const containers =
  'aac,ac3,aiff,amr,ape,asf,au,avi,caf,eac3,flac,flv,matroska,mov,mp3,mpeg,mpegts,ogg,tta,w64,wav,wv'
const sounds =
  'aac,aac_latm,ac3,adpcm_ima_qt,adpcm_ima_wav,adpcm_ms,alac,amrnb,amrwb,ape,dca,eac3,flac,mp1float,mp2float,mp3float,opus,speex,tta,vorbis,wavpack,wmapro,wmav1,wmav2'
const samples =
  'pcm_alaw,pcm_mulaw,pcm_u8,pcm_s8,pcm_f32be,pcm_f32le,pcm_f64be,pcm_f64le,pcm_s16be,pcm_s16le,pcm_s24be,pcm_s24le,pcm_s32be,pcm_s32le'
const pictures =
  'h264,hevc,libdav1d,vp6,vp6f,vp8,vp9,mpeg1video,mpeg2video,mpeg4,msmpeg4,msmpeg4v2,mjpeg,prores,dnxhd,dvvideo,theora,flv,h263,vc1,wmv1,wmv2,wmv3'
const codecs = `${sounds},${samples},${pictures}`

const maxHours = 24

/** What FFmpeg calls an error is a negative number. */
export const check = (result: number, doing: string): void => {
  if (result < 0) throw new Error(`${doing} gave ${result}`)
}

export type Input = {
  demuxer: Demuxer
  size: number
  /** Seconds the file says of itself, where it does. */
  declared: number | undefined
  sound: Stream | undefined
  picture: Stream | undefined
}

/** Opens a file, and nothing but that file: no address, no list, no device. */
export const openInput = async (path: string): Promise<Input> => {
  const demuxer = await Demuxer.open(path, {
    options: { protocol_whitelist: 'file', format_whitelist: containers, codec_whitelist: codecs },
  } as never).catch(() => {
    throw new Refused('The file holds no sound or video that can be read, or it is damaged or cut off.')
  })
  const seconds = demuxer.duration
  if (seconds > maxHours * 3600) throw new Refused(`The file says that it is longer than ${maxHours} hours.`)
  const picture = demuxer.findBestStream(AVMEDIA_TYPE_VIDEO)
  const { size } = await stat(path)
  return {
    demuxer,
    size,
    declared: seconds > 0 ? seconds / (await wholePart(path, size)) : undefined,
    sound: demuxer.findBestStream(AVMEDIA_TYPE_AUDIO),
    picture: picture?.hasDisposition(AV_DISPOSITION_ATTACHED_PIC) ? undefined : picture,
  }
}

export const codecOf = (stream: Stream): string => avGetCodecName(stream.codecpar.codecId) ?? 'unknown'

/** Spoilt packets are passed over; whether too much is missing is judged by what came out. */
export const openDecoder = (stream: Stream, maxPixels?: number): Promise<Decoder> =>
  Decoder.create(stream, {
    exitOnError: false,
    context: { threadCount: 2 },
    options: { codec_whitelist: codecs, ...(maxPixels && { max_pixels: maxPixels }) } as never,
  }).catch(() => {
    throw new Refused(`The file is encoded with ${codecOf(stream)}, which cannot be read.`)
  })

type Take = (frame: Frame) => Promise<void> | void
type Source = { receiveSync(): Frame | null | undefined }

/** This process has nothing else to do, so nothing is handed to other threads and waited for: that took longer. */
const takeAll = async (source: Source, take: Take): Promise<void> => {
  for (let frame = source.receiveSync(); frame; frame = source.receiveSync()) {
    using own = frame
    await take(own)
  }
}

/** One packet, or with null whatever is left, to the frames that come of it. */
export const decode = async (decoder: Decoder, packet: Packet | null, take: Take): Promise<void> => {
  decoder.decodeSync(packet)
  await takeAll(decoder, take)
}

/** One frame, or with null the end, through a filter. */
export const filtered = async (filter: FilterAPI, frame: Frame | null, take: Take): Promise<void> => {
  filter.processSync(frame)
  await takeAll(filter, take)
}

/** Every packet once, in the order of the file; then null. `Demuxer.packets` waits for its reader by spinning. */
export const readPackets = async (
  { demuxer, size }: Input,
  report: Report,
  take: (packet: Packet | null) => Promise<void>,
): Promise<void> => {
  const context = demuxer.getFormatContext()
  const { streams } = demuxer
  using packet = new Packet()
  packet.alloc()
  while ((await context.readFrame(packet)) >= 0) {
    packet.timeBase = streams[packet.streamIndex]!.timeBase
    if (packet.pos > 0n) report(Math.min(0.99, Number(packet.pos) / size))
    await take(packet)
    packet.unref()
  }
  await take(null)
}

/**
 * Whether the file promised more than came out of it. Lengths that are guessed from the size of a file without an index
 * are no promise.
 */
export const checkWhole = ({ demuxer, declared }: Input, decoded: number): void => {
  if (decoded === 0) throw new Refused('The file is damaged: nothing of it could be decoded.')
  const isGuess = /^(aac|ac3|eac3|amr|mp3|mpeg|mpegts|dts)/.test(demuxer.formatName)
  if (isGuess || declared === undefined || decoded >= 0.95 * declared - 1) return
  throw new Refused(
    `The file is damaged or cut off: of ${declared.toFixed(1)} seconds only ${decoded.toFixed(1)} could be decoded.`,
  )
}
