/** Samples of one frame; `rate` of them are a second. */
type Header = { length: number; samples: number; rate: number }
export type Frame = { bytes: Buffer; samples: number; rate: number }

const bitrates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const mpegRates = [44_100, 48_000, 32_000]
const aacRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
]

const mp3Header = (bytes: Buffer, at: number): Header | undefined => {
  const [, second, third] = bytes.subarray(at, at + 3) as unknown as number[]
  const version = (second! >> 3) & 3
  if (bytes[at] !== 0xff || second! >> 5 !== 7 || version === 1 || ((second! >> 1) & 3) !== 1)
    return undefined
  const halves = version === 3 ? 0 : version === 2 ? 1 : 2
  const kilobits = bitrates[version === 3 ? 1 : 2][third! >> 4]
  const base = mpegRates[(third! >> 2) & 3]
  if (!kilobits || !base) return undefined
  const rate = base >> halves
  const samples = version === 3 ? 1152 : 576
  return { length: Math.floor((samples * 125 * kilobits) / rate) + ((third! >> 1) & 1), samples, rate }
}

const aacHeader = (bytes: Buffer, at: number): Header | undefined => {
  if (bytes[at] !== 0xff || (bytes[at + 1]! & 0xf6) !== 0xf0) return undefined
  const rate = aacRates[(bytes[at + 2]! >> 2) & 15]
  const length = ((bytes[at + 3]! & 3) << 11) | (bytes[at + 4]! << 3) | (bytes[at + 5]! >> 5)
  if (!rate || length < 7) return undefined
  return { length, samples: 1024 * ((bytes[at + 6]! & 3) + 1), rate }
}

const kinds: Record<string, typeof mp3Header> = {
  'audio/mpeg': mp3Header,
  'audio/mp3': mp3Header,
  'audio/aac': aacHeader,
  'audio/aacp': aacHeader,
}
export const isRecordable = (type: string): boolean => Object.hasOwn(kinds, type)
export const typeOf = (type: string): string => (kinds[type] === mp3Header ? 'audio/mpeg' : 'audio/aac')

const headerSize = 7
/** Frames of files tell a player how long they are; among live sound they would only be a click. */
const isNote = (frame: Buffer): boolean => /Xing|Info/.test(frame.toString('latin1', 4, 48))

/** Takes a stream apart into whole frames, so that it can be divided anywhere and its length is known to the sample. */
export const readFrames = (type: string) => {
  const headerOf = kinds[type]!
  let rest: Buffer = Buffer.alloc(0)
  let isFirst = true

  /** Two in a row, for any two bytes may look like the beginning of one. */
  const isFrame = (bytes: Buffer, at: number): Header | undefined => {
    const header = headerOf(bytes, at)
    return header && headerOf(bytes, at + header.length) ? header : undefined
  }
  return (chunk: Buffer): Frame[] => {
    const bytes = Buffer.concat([rest, chunk])
    const found: Frame[] = []
    let at = 0
    while (at + headerSize < bytes.length) {
      const header = headerOf(bytes, at)
      if (header && at + header.length + headerSize > bytes.length) break
      if (!isFrame(bytes, at)) {
        at += 1
        continue
      }
      const { length, samples, rate } = header!
      const frame = bytes.subarray(at, at + length)
      if (!(isFirst && isNote(frame))) found.push({ bytes: frame, samples, rate })
      isFirst = false
      at += length
    }
    rest = bytes.subarray(at)
    return found
  }
}
