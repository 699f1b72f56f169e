import { crc32, deflateSync } from 'node:zlib'
import { seededRandom } from './random.ts'

type Colour = [number, number, number]

/** Skies over the harbour: above, at the horizon, and the water. */
const skies: [Colour, Colour, Colour][] = [
  [
    [24, 44, 96],
    [246, 164, 96],
    [32, 64, 104],
  ],
  [
    [92, 160, 220],
    [222, 238, 248],
    [44, 108, 140],
  ],
  [
    [40, 30, 70],
    [214, 92, 88],
    [52, 40, 80],
  ],
  [
    [120, 132, 144],
    [206, 210, 214],
    [84, 98, 106],
  ],
  [
    [10, 18, 40],
    [44, 62, 104],
    [12, 24, 48],
  ],
]

/** A picture of a harbour that does not exist: sky, sun, a row of warehouses and their light in the water, as PNG. */
export const harbour = (seed: number, width: number, height: number): Buffer => {
  const random = seededRandom(seed)
  const [above, below, water] = skies[seed % skies.length]!
  const horizon = Math.floor(height * (0.5 + random.next() * 0.2))
  const sun = { x: width * random.next(), y: horizon * (0.3 + random.next() * 0.6), r: height / 12 }
  const roofs = roofsOf(random, width, horizon)
  const sky = Array.from({ length: horizon }, (_, y) => {
    const row = Buffer.alloc(width * 3, Buffer.from(mixed(above, below, y / horizon)))
    const half = Math.sqrt(Math.max(0, sun.r ** 2 - (y - sun.y) ** 2))
    for (let x = Math.max(0, Math.ceil(sun.x - half)); x < Math.min(width, sun.x + half); x += 1)
      row.set([255, 244, 214], x * 3)
    roofs.forEach((roof, x) => {
      if (y > roof) row.set(wall, x * 3)
    })
    return row
  })
  const sea = Array.from({ length: height - horizon }, (_, y) =>
    sky[Math.max(0, horizon - y - 1)]!.map((value, at) => water[at % 3]! + (value - water[at % 3]!) * 0.35),
  )
  return png(width, height, Buffer.concat([...sky, ...sea].flatMap((row) => [Buffer.from([0]), row])))
}

const wall: Colour = [24, 26, 34]

const roofsOf = (random: ReturnType<typeof seededRandom>, width: number, horizon: number): number[] => {
  const roofs: number[] = []
  while (roofs.length < width) {
    const roof = horizon - Math.floor(horizon * random.next() * 0.3)
    roofs.push(...Array(20 + random.below(60)).fill(roof))
  }
  return roofs.slice(0, width)
}

const mixed = (a: Colour, b: Colour, share: number): Colour =>
  a.map((value, index) => Math.round(value + (b[index]! - value) * share)) as Colour

const png = (width: number, height: number, rows: Buffer): Buffer => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND')])
}

const chunk = (type: string, content = Buffer.alloc(0)): Buffer => {
  const named = Buffer.concat([Buffer.from(type), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

/** A jingle: notes one after the other, each dying away, as WAV. */
export const jingle = (notes: number[], rate = 16_000): Buffer => {
  const each = Math.floor(rate * 0.6)
  const sound = Buffer.alloc(notes.length * each * 2)
  notes.forEach((note, index) => {
    const hertz = 440 * 2 ** (note / 12)
    for (let at = 0; at < each; at += 1) {
      const level = Math.exp((-4 * at) / each) * Math.min(1, at / 80) * 12_000
      sound.writeInt16LE(
        Math.round(level * Math.sin((2 * Math.PI * hertz * at) / rate)),
        (index * each + at) * 2,
      )
    }
  })
  const head = Buffer.alloc(44)
  head.write('RIFF')
  head.writeUInt32LE(36 + sound.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(sound.length, 40)
  return Buffer.concat([head, sound])
}

/** A page with a title, as PDF. */
export const page = (title: string): Buffer => {
  const content = `BT /F1 28 Tf 72 740 Td (${title}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(
    `${text}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
  )
}
