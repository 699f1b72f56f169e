import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MadeFile } from '../orders.ts'
import type { Rendition, Shape } from './ladder.ts'
import { type OpenEncoder, openOutput } from './output.ts'

const partSeconds = 6

export const nameOf = ({ width, height }: Rendition): string => `${Math.min(width, height)}p`

/**
 * One size of a stream (HLS): a playlist, and one file that its parts are ranges of. A thousand files for an hour of
 * video would be a thousand to store, move and remove.
 */
export const openPlaylist = (folder: string, rendition: Rendition, encoders: OpenEncoder[]) => {
  const name = nameOf(rendition)
  return openOutput(join(folder, `${name}.m3u8`), 'hls', encoders, {
    hls_time: partSeconds,
    hls_playlist_type: 'vod',
    hls_segment_type: 'fmp4',
    hls_flags: 'single_file',
    hls_segment_filename: join(folder, `${name}.m4s`),
  })
}

type Written = { rendition: Rendition; codecs: (string | null)[] }

/** The playlist that names the others, the smallest first: players begin with it. */
export const writeMaster = async (
  folder: string,
  { rate }: Shape,
  written: Written[],
): Promise<MadeFile[]> => {
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS']
  const files: MadeFile[] = []
  for (const { rendition, codecs } of written.toReversed()) {
    const { width, height } = rendition
    const name = nameOf(rendition)
    const { peak, average } = await bitratesOf(join(folder, `${name}.m3u8`))
    const frameRate = (rate.num / rate.den).toFixed(3)
    lines.push(
      `#EXT-X-STREAM-INF:BANDWIDTH=${peak},AVERAGE-BANDWIDTH=${average},RESOLUTION=${width}x${height},FRAME-RATE=${frameRate},CODECS="${codecs.join(',')}"`,
      `${name}.m3u8`,
    )
    files.unshift(
      { name: `${name}.m3u8`, label: 'Playlist', mime_type: playlist, width, height, bitrate: average },
      { name: `${name}.m4s`, label: 'Segments', mime_type: 'video/mp4', width, height, bitrate: average },
    )
  }
  await writeFile(join(folder, 'master.m3u8'), `${lines.join('\n')}\n`)
  return [{ name: 'master.m3u8', label: 'HLS', mime_type: playlist }, ...files]
}

const playlist = 'application/vnd.apple.mpegurl'

const bitratesOf = async (path: string): Promise<{ peak: number; average: number }> => {
  const text = await readFile(path, 'utf8')
  const parts = text.matchAll(/#EXTINF:([\d.]+),\s*#EXT-X-BYTERANGE:(\d+)@/g)
  let [peak, bits, seconds] = [1, 0, 0]
  for (const [, length, bytes] of parts) {
    bits += Number(bytes) * 8
    seconds += Number(length)
    peak = Math.max(peak, (Number(bytes) * 8) / Math.max(0.1, Number(length)))
  }
  return { peak: Math.ceil(peak), average: Math.ceil(bits / Math.max(0.1, seconds)) }
}
