import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { httpRequest, type Load, load } from './limits/load.ts'
import { start } from './limits/start.ts'
import { benchDatabase } from './service.ts'

/**
 * Pictures to measure: made for the first time, beside sharp alone in one process; and asked for again, beside Fastify
 * sending a file. `node bench/media.ts [pictures] [seconds]`
 */
const pictures = Number(process.argv[2] ?? 60)
const seconds = Number(process.argv[3] ?? 5)
const connections = 32
const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-media-'))

/** Like a photograph in how much there is to decode: 12 million pixels, of which no two are the same. */
const photograph = async (): Promise<Buffer> => {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  const small = sharp({ create: { width: 1000, height: 750, channels: 3, background: '#888', noise } })
  const coarse = await small.png().toBuffer()
  return sharp(coarse).resize(4000, 3000).jpeg({ quality: 88 }).toBuffer()
}

await using database = await benchDatabase()
type Marquee = { origin: string; headers: Record<string, string>; environment: string }
const marquee = await start<Marquee>('marquee.ts', [
  database.url,
  'bench_media',
  JSON.stringify({ MARQUEE_DATA: join(folder, 'data') }),
])
const ask = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
  const answer = await fetch(marquee.origin + path, { ...init, headers: marquee.headers })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

const photo = await photograph()
const form = new FormData()
form.set('label', 'Photo')
form.set('source', new Blob([photo]), 'photo.jpg')
const asset = await ask<{ id: string }>('/assets', { method: 'POST', body: form })
while ((await ask<{ status: string }>(`/v5/assets/${asset.id}`)).status === 'processing')
  await new Promise((resolve) => setTimeout(resolve, 50))
console.log(`A photograph of 12 million pixels, ${(photo.length / 1e6).toFixed(1)} MB`)

/** Widths that nobody has asked for, so that each picture is made. */
const widthOf = (number: number): number => 600 + number
const signed = async (transform: string): Promise<string> =>
  new URL((await ask<{ url: string }>(`/v5/assets/${asset.id}/address?transform=${transform}`)).url).pathname

const perSecond = async (count: number, atOnce: number, work: (number: number) => Promise<unknown>) => {
  const from = performance.now()
  let next = 0
  const drive = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, drive))
  return (count * 1000) / (performance.now() - from)
}

const row = (name: string, figure: number, beside?: number): void =>
  console.log(
    `${name.padEnd(44)} ${figure.toFixed(figure < 100 ? 1 : 0).padStart(8)}/s${
      beside === undefined ? '' : `   ${(figure / beside).toFixed(2)} ×`
    }`,
  )

sharp.cache(false)
sharp.concurrency(1)
for (const [format, options] of [
  ['jpeg', { quality: 80, mozjpeg: true }],
  ['webp', { quality: 75, effort: 3 }],
  ['avif', { quality: 50, effort: 2 }],
] as const) {
  const alone = await perSecond(pictures, 2, (number) =>
    sharp(photo, { failOn: 'error' })
      .autoOrient()
      .resize({ width: widthOf(number), fit: 'inside' })
      .toFormat(format, options)
      .toBuffer(),
  )
  const paths = await Promise.all(
    Array.from({ length: pictures }, (_, number) => signed(`w_${widthOf(number)},f_${format}`)),
  )
  const cold = await perSecond(pictures, 4, async (number) => {
    const answer = await fetch(marquee.origin + paths[number]!, { headers: marquee.headers })
    if (answer.status !== 200) throw new Error(`answered with ${answer.status}`)
    await answer.arrayBuffer()
  })
  row(`${format}: sharp alone`, alone)
  row(`${format}: asked for the first time`, cold, alone)
}

const path = `/media/${asset.id}/w_640,f_webp/photo.webp`
const made = Buffer.from(
  await (await fetch(marquee.origin + path, { headers: marquee.headers })).arrayBuffer(),
)
const file = join(folder, 'photo.webp')
writeFileSync(file, made)
const bare = await start<{ port: number }>('static.ts', [file, 'image/webp'])
const measure = async (origin: string, asked: string): Promise<Load> => {
  const request = httpRequest('GET', asked, { ...marquee.headers, accept: 'image/webp' })
  await load(origin, connections, 1, () => request)
  return load(origin, connections, seconds, () => request)
}
const fastify = await measure(`http://127.0.0.1:${bare.port}`, '/file')
const kept = await measure(marquee.origin, path)
console.log(`A picture of ${(made.length / 1000).toFixed(0)} KB, ${connections} connections`)
row('Fastify sending a file', fastify.perSecond)
row('asked for again', kept.perSecond, fastify.perSecond)
await bare.stop()
await marquee.stop()
rmSync(folder, { recursive: true, force: true })
