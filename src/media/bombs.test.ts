import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { pdf, picture, tone, video } from '../../test/harness/media.ts'
import { openMedia } from './media.ts'
import { Refused } from './orders.ts'

const media = openMedia()
const folder = await mkdtemp(join(tmpdir(), 'marquee-bombs-'))
after(async () => {
  media.close()
  await rm(folder, { recursive: true, force: true })
})

let number = 0
/** What whoever sent the file is told; anything but a refusal fails. */
const told = async (task: string, bytes: Buffer | string): Promise<string> => {
  number += 1
  const input = join(folder, `${number}`)
  const output = join(folder, `${number}-made`)
  await writeFile(input, bytes)
  await mkdir(output)
  const order = { task, input, output }
  try {
    await (task === 'image' ? media.picture(order) : media.run(order))
  } catch (error) {
    assert.ok(error instanceof Refused, `${error}`)
    return error.message
  }
  return 'taken'
}

const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A PNG of so many black pixels, whole and valid; its size is a thousandth of what it unpacks to. */
const blackPng = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const pixels = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height), { level: 1 })
  const chunks = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks])
}

const hugeGif = (): Buffer => {
  const gif = Buffer.from(
    'GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\xff\xff\xff\xff\0\x02\x02D\x01\0;',
    'latin1',
  )
  return gif
}

const hugeTiff = (): Buffer => {
  const entries = [
    [256, 4, 1, 400_000],
    [257, 4, 1, 400_000],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, 1, 8],
    [277, 3, 1, 1],
    [278, 4, 1, 400_000],
    [279, 4, 1, 10],
  ] as const
  const tiff = Buffer.alloc(10 + entries.length * 12 + 4)
  tiff.write('II*\0', 0, 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(entries.length, 8)
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    tiff.writeUInt16LE(tag, 10 + index * 12)
    tiff.writeUInt16LE(type, 12 + index * 12)
    tiff.writeUInt32LE(count, 14 + index * 12)
    tiff.writeUInt32LE(value, 18 + index * 12)
  }
  return tiff
}

test('pictures that unpack to more than any machine should hold are refused by their headers', async () => {
  const began = process.memoryUsage.rss()
  assert.match(await told('image', blackPng(17_000, 17_000)), /289 million pixels; at most 100 million/)
  assert.match(await told('image', hugeGif()), /4295 million pixels/)
  assert.match(await told('image', hugeTiff()), /160000 million pixels|damaged/)
  assert.equal(await told('image', blackPng(9_000, 9_000)), 'taken')
  assert.ok(process.memoryUsage.rss() - began < 100_000_000)
})

test('what is no picture is not drawn, whatever it calls itself', async () => {
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>'
  for (const bytes of [drawing, '<html><script>1</script>', 'GIF89a', '', '%PDF-1.7', `${pdf()}`, 'BM 12345'])
    assert.match(await told('image', bytes), /not a picture|damaged/)
})

test('cut off or spoilt files are told to be so', async () => {
  const photo = await picture({ width: 600, height: 400 })
  for (const part of [0.1, 0.5, 0.9])
    assert.match(await told('image', photo.subarray(0, photo.length * part)), /damaged/)
  const film = await video({ seconds: 1 })
  assert.match(await told('video', film.subarray(0, film.length / 2)), /damaged or cut off/)
  const sound = await tone({ seconds: 8 })
  assert.match(await told('audio', sound.subarray(0, sound.length / 2)), /of 8\.0 seconds only 4\.0/)
  assert.match(await told('pdf', pdf({ pages: 50 }).subarray(0, 2000)), /damaged or cut off/)
  const zeroes = Buffer.concat([film.subarray(0, 40), Buffer.alloc(film.length)])
  assert.match(await told('video', zeroes), /damaged/)
})

test('a file is what its label says, or nothing', async () => {
  assert.match(await told('video', await tone({ extension: 'mp3', seconds: 0.2 })), /no moving picture/)
  assert.match(await told('audio', await video({ sound: false, seconds: 0.2 })), /holds no sound/)
  assert.match(await told('video', await picture()), /no sound or video/)
  assert.match(await told('pdf', await picture()), /not a PDF/)
})

test('lists of other files and addresses are not followed', async () => {
  let asked = 0
  const canary = createServer((_, response) => {
    asked += 1
    response.end()
  }).listen(0, '127.0.0.1')
  await once(canary, 'listening')
  after(() => canary.close())
  const address = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/x.ts`
  const secret = join(folder, 'secret.mp4')
  await writeFile(secret, await video({ seconds: 0.2 }))
  const lists = [
    `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${address}\n#EXT-X-ENDLIST\n`,
    `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${secret}\n#EXT-X-ENDLIST\n`,
    `ffconcat version 1.0\nfile ${secret}\n`,
    `v=0\nc=IN IP4 127.0.0.1\nm=video 9 RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
    `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><BaseURL>${address}</BaseURL></MPD>`,
  ]
  for (const list of lists) assert.match(await told('video', list), /no sound or video that can be read/)
  assert.equal(asked, 0)
})

test('a process that needs too long or is not wanted any more ends, and others go on', async () => {
  const input = join(folder, 'slow')
  await writeFile(input, await video({ seconds: 4, width: 640, height: 360 }))
  await mkdir(join(folder, 'slow-made'))
  const order = { task: 'video', input, output: join(folder, 'slow-made') }
  await assert.rejects(media.run(order, { seconds: 0.3 }), /stopped after 0.3 seconds without progress/)
  const controller = new AbortController()
  const running = media.run(order, { signal: controller.signal, onProgress: () => controller.abort() })
  await assert.rejects(running, /was stopped/)
  const photo = join(folder, 'photo')
  await writeFile(photo, await picture())
  const made = await Promise.all([1, 2, 3].map((width) => media.resize(photo, { width, format: 'png' })))
  assert.equal(made.length, 3)
})
