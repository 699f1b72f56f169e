import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { thumbHashToApproximateAspectRatio } from 'thumbhash'
import { judge, pdf, picture, quarters, tone, video } from '../../test/harness/media.ts'
import { openMedia } from './media.ts'
import type { Facts, Sizes } from './orders.ts'

const media = openMedia()
const folder = await mkdtemp(join(tmpdir(), 'marquee-media-'))
after(async () => {
  media.close()
  await rm(folder, { recursive: true, force: true })
})

let number = 0
type Processed = Facts & { output: string; read(name: string): Promise<Buffer> }

/** Hands a file to the process, as processing does. */
const processed = async (task: string, bytes: Buffer): Promise<Processed> => {
  number += 1
  const input = join(folder, `${number}`)
  const output = join(folder, `${number}-made`)
  await writeFile(input, bytes)
  await mkdir(output)
  const order = { task, input, output }
  const facts = await (task === 'image' ? media.picture<Facts>(order) : media.run<Facts>(order))
  return { ...facts, output, read: (name) => readFile(join(output, name)) }
}

const resized = async (bytes: Buffer, sizes: Partial<Sizes>) => {
  const path = join(folder, 'to-resize')
  await writeFile(path, bytes)
  const made = await media.resize(path, { format: 'png', ...sizes })
  const { data, info } = await sharp(made).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => {
    const start = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3
    return nearest([...data.subarray(start, start + 3)])
  }
  return { width: info.width, height: info.height, at, header: await sharp(made).metadata() }
}

/** Which of the four colours it is. */
const nearest = (colour: number[]): string | undefined =>
  quarters.find((quarter) =>
    colour.every(
      (part, index) => Math.abs(part - Number.parseInt(quarter.slice(1 + 2 * index, 3 + 2 * index), 16)) < 60,
    ),
  )
const [red, green, blue, white] = quarters

test('a picture is measured the way it is seen, whatever its format', async () => {
  for (const format of ['jpeg', 'png', 'webp', 'avif', 'tiff'] as const) {
    const found = await processed('image', await picture({ width: 120, height: 60, format, orientation: 6 }))
    assert.deepEqual([format, found.width, found.height], [format, 60, 120])
    const { placeholder, colour } = found.details as Record<string, string>
    const ratio = thumbHashToApproximateAspectRatio(Buffer.from(placeholder!, 'base64'))
    assert.ok(Math.abs(ratio - 0.5) < 0.15, `${format} ${ratio}`)
    assert.match(colour!, /^#[0-9a-f]{6}$/)
  }
  const gif = await processed('image', await picture({ format: 'gif', width: 50, height: 20 }))
  assert.deepEqual([gif.width, gif.height, gif.files], [50, 20, []])
})

test('the colour is the one that most of a picture has', async () => {
  const create = { width: 40, height: 40, channels: 3 as const, background: '#20b040' }
  const found = await processed('image', await sharp({ create }).png().toBuffer())
  const parts = (found.details.colour as string)
    .slice(1)
    .match(/../g)!
    .map((part) => Number.parseInt(part, 16))
  for (const [index, part] of [0x20, 0xb0, 0x40].entries()) assert.ok(Math.abs(parts[index]! - part) <= 8)
})

test('a picture to measure is turned, tells nothing of where it was taken, and is never larger', async () => {
  // Turned a quarter clockwise, blue comes to the upper left.
  const bytes = await picture({ width: 400, height: 200, orientation: 6, located: true })
  assert.ok((await sharp(bytes).metadata()).exif)
  for (const format of ['jpeg', 'webp', 'avif', 'png'] as const) {
    const small = await resized(bytes, { width: 50, format })
    assert.deepEqual([small.width, small.height], [50, 100])
    assert.deepEqual([small.at(0.2, 0.2), small.at(0.8, 0.2)], [blue, red], format)
    assert.deepEqual(
      [small.header.exif, small.header.xmp, small.header.orientation],
      [undefined, undefined, undefined],
    )
  }
  const large = await resized(bytes, { width: 5000, height: 5000 })
  assert.deepEqual([large.width, large.height], [200, 400])
})

test('what is cut off lies away from the focal point', async () => {
  const bytes = await picture({ width: 400, height: 200 })
  const cut = (focal: Sizes['focal']) => resized(bytes, { width: 40, height: 40, fit: 'cover', focal })
  const left = await cut({ x: 0, y: 0.5 })
  assert.deepEqual([left.width, left.height], [40, 40])
  assert.deepEqual([left.at(0.9, 0.2), left.at(0.9, 0.8)], [red, blue])
  const right = await cut({ x: 1, y: 0.5 })
  assert.deepEqual([right.at(0.1, 0.2), right.at(0.1, 0.8)], [green, white])
  const middle = await cut(undefined)
  assert.deepEqual([middle.at(0.1, 0.2), middle.at(0.9, 0.2)], [red, green])
  const enlarged = await resized(bytes, { width: 4000, height: 1000, fit: 'cover' })
  assert.deepEqual([enlarged.width, enlarged.height], [400, 100])
})

test('sound is measured by decoding it, and encoded twice without loss of a moment', async () => {
  const bytes = await tone({ seconds: 3.21, until: 1.5, peak: 0.5, channels: 2, tags: { title: 'Test' } })
  const found = await processed('audio', bytes)
  assert.ok(Math.abs(found.duration! - 3.21) < 0.001, `${found.duration}`)
  assert.ok(Math.abs((found.details.loudness as number) + 7) < 0.5, `${found.details.loudness}`)
  assert.deepEqual(found.details.tags, { title: 'Test' })
  for (const name of ['audio.m4a', 'audio.ogg']) {
    const { audio } = await judge(await found.read(name))
    assert.ok(Math.abs(audio!.seconds - 3.21) < 0.001, `${name} ${audio!.seconds}`)
    assert.ok(Math.abs(audio!.peak - 0.5) < 0.05, `${name} ${audio!.peak}`)
  }
  const m4a = await found.read('audio.m4a')
  assert.ok(m4a.indexOf('moov') < m4a.indexOf('mdat'), 'what a player needs first does not come first')
  const { data, length, bits, samples_per_pixel, sample_rate } = JSON.parse(
    `${await found.read('peaks.json')}`,
  )
  assert.deepEqual([length, bits, data.length], [1000, 8, 2000])
  assert.ok(Math.abs((length * samples_per_pixel) / sample_rate - 3.21) < 0.02)
  const last = Math.floor((1.5 / 3.21) * 1000)
  for (let pair = 1; pair < last - 1; pair += 1)
    assert.ok(data[2 * pair] < -60 && data[2 * pair + 1] > 60 && data[2 * pair + 1] < 67, `pair ${pair}`)
  assert.deepEqual(new Set(data.slice(2 * (last + 3))), new Set([0]))
})

test('sound of any container gets no more channels, samples or bits than it had', async () => {
  for (const extension of ['mp3', 'flac', 'ogg'] as const) {
    const found = await processed('audio', await tone({ seconds: 0.6, rate: 16_000, extension }))
    assert.ok(Math.abs(found.duration! - 0.6) < 0.1, `${extension} ${found.duration}`)
    assert.equal(found.details.channels, 1)
    const aac = found.files.find(({ name }) => name === 'audio.m4a')!
    assert.ok(aac.bitrate! <= 64_000)
  }
})

test('a long video keeps its length, its sound and the way it is held', async () => {
  const bytes = await video({ seconds: 60, width: 128, height: 72, rate: 5, rotation: 90 })
  const found = await processed('video', bytes)
  assert.deepEqual([found.width, found.height, found.details.rotation], [72, 128, 90])
  assert.ok(Math.abs(found.duration! - 60) < 0.15, `${found.duration}`)
  const { video: shown, audio: heard } = await judge(await found.read('video.mp4'))
  assert.deepEqual([shown!.width, shown!.height, shown!.frames], [72, 128, 300])
  assert.ok(Math.abs(shown!.seconds - 60) < 0.15 && Math.abs(heard!.seconds - 60) < 0.15)
  const mp4 = await found.read('video.mp4')
  assert.ok(mp4.indexOf('moov') < mp4.indexOf('mdat'))
  const poster = await sharp(await found.read('poster.jpg')).metadata()
  assert.deepEqual([poster.width, poster.height], [72, 128])
  const playlist = `${await found.read('72p.m3u8')}`
  const parts = [...playlist.matchAll(/#EXTINF:([\d.]+),\n#EXT-X-BYTERANGE:(\d+)@(\d+)\n72p\.m4s/g)]
  const length = parts.reduce((sum, [, seconds]) => sum + Number(seconds), 0)
  assert.ok(parts.length === 10 && Math.abs(length - 60) < 0.2, `${parts.length} parts, ${length} s`)
  const last = parts.at(-1)!
  assert.equal(Number(last[2]) + Number(last[3]), (await found.read('72p.m4s')).length)
})

test('a video comes in sizes that are none larger than itself, and the same bytes again', async () => {
  const bytes = await video({ seconds: 1, width: 1282, height: 722, extension: 'mkv' })
  const found = await processed('video', bytes)
  const sizes = found.files
    .filter(({ label }) => label === 'Segments')
    .map(({ width, height }) => [width, height])
  assert.deepEqual(sizes, [
    [1282, 722],
    [638, 360],
  ])
  for (const [name, width, height] of [
    ['722p.m4s', 1282, 722],
    ['360p.m4s', 638, 360],
  ] as const) {
    const { video: shown, audio: heard } = await judge(await found.read(name))
    assert.deepEqual([shown!.width, shown!.height, shown!.frames], [width, height, 25])
    assert.ok(Math.abs(heard!.seconds - 1) < 0.05)
  }
  const master = `${await found.read('master.m3u8')}`
  assert.match(master, /RESOLUTION=638x360.*CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2"\n360p\.m3u8\n/)
  assert.ok(master.indexOf('360p') < master.indexOf('722p'), 'players begin with the first')
  assert.deepEqual(await sums(await processed('video', bytes)), await sums(found))
})

const sums = async ({ output }: Processed): Promise<string[][]> =>
  Promise.all(
    (await readdir(output)).sort().map(async (name) => {
      const bytes = await readFile(join(output, name))
      return [name, createHash('sha256').update(bytes).digest('hex')]
    }),
  )

test('a video is turned, not squeezed', async () => {
  const small = { seconds: 0.2, width: 96, height: 64, sound: false }
  const upright = await processed('video', await video(small))
  const turned = await processed('video', await video({ ...small, rotation: 90 }))
  const pixels = (bytes: Buffer, degrees: number) => sharp(bytes).rotate(degrees).greyscale().raw().toBuffer()
  const expected = await pixels(await upright.read('poster.webp'), 90)
  const found = await pixels(await turned.read('poster.webp'), 0)
  const difference = expected.reduce((sum, value, index) => sum + Math.abs(value - found[index]!), 0)
  assert.equal(found.length, expected.length)
  assert.ok(difference / found.length < 10, `${difference / found.length}`)
})

test('a silent video gets no sound, and one of another kind plays all the same', async () => {
  const silent = await processed('video', await video({ sound: false, seconds: 0.4, width: 34, height: 22 }))
  assert.deepEqual([silent.width, silent.height], [34, 22])
  const shown = await judge(await silent.read('video.mp4'))
  assert.deepEqual([shown.video!.width, shown.video!.height, shown.audio], [34, 22, undefined])
  assert.ok(!silent.files.some(({ label }) => label === 'Peaks'))
  const webm = await processed(
    'video',
    await video({ extension: 'webm', seconds: 0.4, width: 64, height: 48 }),
  )
  assert.equal(webm.details.codec, 'vp8')
  assert.equal((await judge(await webm.read('video.mp4'))).video!.frames, 10)
})

test('a document is counted, and its first page drawn', async () => {
  const found = await processed('pdf', pdf({ pages: 3, width: 400, height: 200 }))
  assert.deepEqual([found.width, found.height, found.details.pages], [1600, 800, 3])
  const { data, info } = await sharp(await found.read('page.webp'))
    .raw()
    .toBuffer({ resolveWithObject: true })
  assert.deepEqual([info.width, info.height], [1600, 800])
  const at = (x: number, y: number) => [...data.subarray((y * 1600 + x) * 3, (y * 1600 + x) * 3 + 3)]
  assert.equal(nearest(at(100, 700)), red)
  assert.equal(nearest(at(1500, 100)), white)
})
