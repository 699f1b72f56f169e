import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import { failureOf, OutgoingFailure } from './failure.ts'

type Chunks = AsyncIterable<Buffer>

const decoders: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: createUnzip,
  'x-gzip': createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
}

/** A body that is read once, in one of these ways; `maxBytes` holds before and after decompression. */
export const limitedBody = (
  raw: Readable,
  encoding: string | undefined,
  maxBytes: number,
  signal: AbortSignal,
) => {
  const chunks = () => decoded(raw, encoding, maxBytes, signal)
  return {
    /** For what is too large to hold. Reading stops with an OutgoingFailure at the limits. */
    stream: (): Readable => streamOf(chunks(), raw),
    /** All of it, or `too-large`. */
    bytes: (): Promise<Buffer> => collect(chunks(), false),
    /** The first `maxBytes` of it; the rest is not fetched. */
    excerpt: (): Promise<Buffer> => collect(chunks(), true),
    /** For who needs the head only. */
    discard: (): void => void raw.destroy(),
  }
}

/** A stream of a generator waits for its next chunk when it is destroyed; a reader that leaves need not. */
const streamOf = (chunks: Chunks, raw: Readable): Readable => {
  const stream = Readable.from(chunks, { objectMode: false })
  const end = stream._destroy.bind(stream)
  stream._destroy = (error, done) => {
    raw.destroy()
    end(error, done)
  }
  return stream
}

async function* decoded(raw: Readable, encoding: string | undefined, maxBytes: number, signal: AbortSignal) {
  if (raw.readableDidRead) throw new TypeError('The body was read before')
  const decoder = Object.hasOwn(decoders, encoding ?? '') ? decoders[encoding!]!() : undefined
  try {
    const received = limited(raw, maxBytes)
    if (decoder) yield* limited(pipeline(received, decoder, () => {}) as unknown as Chunks, maxBytes)
    else yield* received
  } catch (error) {
    throw failureOf(error, signal)
  } finally {
    raw.destroy()
  }
}

/** What fits is handed on before the failure, so that an excerpt has its full length. */
async function* limited(chunks: Chunks, maxBytes: number): AsyncGenerator<Buffer> {
  let left = maxBytes
  for await (const chunk of chunks) {
    if (chunk.length > left) {
      if (left > 0) yield chunk.subarray(0, left)
      throw new OutgoingFailure('too-large')
    }
    left -= chunk.length
    yield chunk
  }
}

const collect = async (chunks: Chunks, cut: boolean): Promise<Buffer> => {
  const read: Buffer[] = []
  try {
    for await (const chunk of chunks) read.push(chunk)
  } catch (error) {
    if (!cut || !(error instanceof OutgoingFailure) || error.reason !== 'too-large') throw error
  }
  return Buffer.concat(read)
}
