import { join } from 'node:path'
import { checkWhole, codecOf, decode, openDecoder, openInput, readPackets } from '../av/input.ts'
import { openOutput } from '../av/output.ts'
import { measureSound, openSoundEncoder } from '../av/sound.ts'
import { type Facts, Refused, type Task } from '../orders.ts'
import { readTags } from '../tags.ts'

/** All of it in one reading: measured, drawn, and encoded for browsers old and new. */
export const processAudio: Task<never, Facts> = async ({ input: path, output: folder }, report) => {
  const input = await openInput(path)
  const { sound } = input
  if (!sound) throw new Refused('The file holds no sound.')
  const decoder = await openDecoder(sound)
  const measured = measureSound()
  const aac = await openSoundEncoder('aac', sound)
  const opus = await openSoundEncoder('libopus', sound)
  const outputs = [
    await openOutput(join(folder, 'audio.m4a'), 'ipod', [aac.encoder], { movflags: '+faststart' }),
    await openOutput(join(folder, 'audio.ogg'), 'ogg', [opus.encoder]),
  ]
  await readPackets(input, report, async (packet) => {
    if (packet && packet.streamIndex !== sound.index) return
    await decode(decoder, packet, async (frame) => {
      for (const { take } of [measured, aac, opus]) await take(frame)
    })
  })
  const duration = measured.seconds()
  checkWhole(input, duration)
  await measured.take(null)
  for (const { end } of [aac, opus]) await end()
  for (const { close } of outputs) await close()
  const { tags, cover } = await readTags(path, folder)
  return {
    duration,
    details: {
      codec: codecOf(sound),
      sample_rate: sound.codecpar.sampleRate,
      channels: sound.codecpar.channels,
      loudness: measured.loudness(),
      tags,
      ...cover?.details,
    },
    files: [
      { name: 'audio.m4a', label: 'AAC', mime_type: 'audio/mp4', bitrate: aac.bitrate },
      { name: 'audio.ogg', label: 'Opus', mime_type: 'audio/ogg', bitrate: opus.bitrate },
      await measured.writePeaks(folder),
      ...(cover ? [cover.file] : []),
    ],
  }
}
