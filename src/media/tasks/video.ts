import { join } from 'node:path'
import { FilterAPI } from 'node-av/api'
import { avRescaleQ, type Frame, type Stream } from 'node-av/lib'
import {
  checkWhole,
  codecOf,
  decode,
  filtered,
  type Input,
  openDecoder,
  openInput,
  readPackets,
} from '../av/input.ts'
import { maxPixels, type Rendition, type Shape, shapeOf } from '../av/ladder.ts'
import { type OpenEncoder, openOutput } from '../av/output.ts'
import { openRendition } from '../av/picture.ts'
import { choosePoster } from '../av/poster.ts'
import { measureSound, openSoundEncoder } from '../av/sound.ts'
import { openPlaylist, writeMaster } from '../av/stream.ts'
import { type Facts, type MadeFile, Refused, type Report, type Task } from '../orders.ts'

/** All of it in one reading: each frame is decoded once and encoded in each size; the largest goes into two files. */
export const processVideo: Task<never, Facts> = async ({ input: path, output: folder }, report) => {
  const input = await openInput(path)
  const { picture, sound } = input
  if (!picture) throw new Refused('The file holds no moving picture.')
  const shape = shapeOf(picture)
  const [largest] = shape.renditions as [Rendition]
  const renditions = await Promise.all(shape.renditions.map((each) => openRendition(each, shape)))
  const aac = sound && (await openSoundEncoder('aac', sound))
  const withSound = (encoder: OpenEncoder) => (aac ? [encoder, aac.encoder] : [encoder])
  const movie = await openOutput(join(folder, 'video.mp4'), 'mp4', withSound(renditions[0]!.encoder), {
    movflags: '+faststart',
  })
  const streams = await Promise.all(
    renditions.map(({ encoder }, index) =>
      openPlaylist(folder, shape.renditions[index]!, withSound(encoder)),
    ),
  )
  const poster = choosePoster(input.declared)
  const measured = measureSound()
  const takers = { shape, renditions, poster, measured, aac }
  const duration = await readAll(input as Opened, takers, report)
  checkWhole(input, duration)
  for (const { close } of [movie, ...streams]) await close()
  const still = await poster.write(folder, largest)
  const written = streams.map(({ codecs }, index) => ({ rendition: shape.renditions[index]!, codecs }))
  const files: MadeFile[] = [
    { name: 'video.mp4', label: 'MP4', mime_type: 'video/mp4', width: largest.width, height: largest.height },
    ...(await writeMaster(folder, shape, written)),
    ...still.files,
    ...(sound ? [await measured.writePeaks(folder)] : []),
  ]
  const { width, height, rotation, rate } = shape
  const details = {
    codec: codecOf(picture),
    frame_rate: Math.round((1000 * rate.num) / rate.den) / 1000,
    rotation,
    ...(sound && { audio_codec: codecOf(sound), loudness: measured.loudness() }),
    ...still.details,
  }
  return { width, height, duration, details, files }
}

type Opened = Input & { picture: Stream }
type Takers = {
  shape: Shape
  renditions: Awaited<ReturnType<typeof openRendition>>[]
  poster: ReturnType<typeof choosePoster>
  measured: ReturnType<typeof measureSound>
  aac: Awaited<ReturnType<typeof openSoundEncoder>> | undefined
}

/** Sound and picture begin together at zero, whatever the file begins with. Gives the seconds of the picture. */
const readAll = async (input: Opened, takers: Takers, report: Report): Promise<number> => {
  const { picture, sound, demuxer } = input
  const { shape, renditions, poster, measured, aac } = takers
  const start = demuxer.startTime
  const looks = FilterAPI.create(`setpts=PTS-${start}/TB,${shape.filter}`)
  const sync = FilterAPI.create(`asetpts=PTS-${start}/TB,aresample=async=1:first_pts=0`)
  const pictures = await openDecoder(picture, maxPixels)
  const sounds = sound && (await openDecoder(sound))
  const lasting = { num: shape.rate.den, den: shape.rate.num }
  let frames = 0
  const seconds = () => (frames * shape.rate.den) / shape.rate.num

  const show = async (frame: Frame): Promise<void> => {
    poster.offer(frame, seconds())
    frames += 1
    for (const { take } of renditions) await take(frame)
  }
  const hear = async (frame: Frame): Promise<void> => {
    await measured.take(frame)
    await aac!.take(frame)
  }
  await readPackets(input, report, async (packet) => {
    if (!packet || packet.streamIndex === picture.index)
      await decode(pictures, packet, (frame) => {
        // Where a file does not say how long its frames last, its last one would last no time.
        if (frame.duration <= 0n) frame.duration = avRescaleQ(1n, lasting, frame.timeBase)
        return filtered(looks, frame, show)
      })
    if (sounds && (!packet || packet.streamIndex === sound.index))
      await decode(sounds, packet, (frame) => filtered(sync, frame, hear))
  })
  await filtered(looks, null, show)
  for (const { end } of renditions) await end()
  if (aac) {
    await filtered(sync, null, hear)
    await measured.take(null)
    await aac.end()
  }
  return seconds()
}
