import { hash } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { NotFound } from '../../errors.ts'
import type { Storage } from '../../storage/storage.ts'
import { contentType, disposition, policy } from './kinds.ts'
import { isHeld, rangeOf, stillHolds } from './ranges.ts'

/** Bytes at hand, or where they are. */
export type Answer = {
  bytes: Buffer | { key: string; size: number }
  mimeType: string | null
  etag: string
  /** How those who save it are to call it. */
  name: string | null
  caching: string
  /** What else the answer depends on. */
  vary?: string
}

export const etagOf = (text: string): string => `"${hash('sha256', text, 'base64url').slice(0, 22)}"`

export const send = async (
  storage: Storage,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
): Promise<FastifyReply> => {
  const { bytes, etag } = answer
  const { range: asked, 'if-range': ifRange, 'if-none-match': held } = request.headers
  if (isHeld(held, etag)) return reply.code(304).headers(validators(answer)).send()
  const size = Buffer.isBuffer(bytes) ? bytes.length : bytes.size
  const isHead = request.method === 'HEAD'
  const range = isHead || !stillHolds(ifRange as string | undefined, etag) ? undefined : rangeOf(asked, size)
  if (range === 'unsatisfiable')
    return reply.code(416).header('Content-Range', `bytes */${size}`).send(Buffer.alloc(0))
  const { start, end } = range ?? { start: 0, end: size - 1 }
  // An empty stream for HEAD: for anything else the length would be counted anew.
  const payload = isHead ? Readable.from([]) : await part(storage, bytes, start, end)
  if (range) reply.code(206).header('Content-Range', `bytes ${start}-${end}/${size}`)
  return reply
    .headers({ ...validators(answer), ...described(answer), 'Content-Length': end - start + 1 })
    .send(payload)
}

const validators = ({ etag, caching, vary }: Answer) => ({
  ETag: etag,
  'Cache-Control': caching,
  ...(vary && { Vary: vary }),
})

const described = ({ mimeType, name }: Answer) => ({
  'Content-Type': contentType(mimeType),
  'Content-Disposition': disposition(mimeType, name),
  'Content-Security-Policy': policy,
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Accept-Ranges': 'bytes',
})

/** Waits for the first bytes, so that a file that is missing is told before anything says how long it may be kept. */
const part = async (
  storage: Storage,
  bytes: Answer['bytes'],
  start: number,
  end: number,
): Promise<Buffer | Readable> => {
  if (Buffer.isBuffer(bytes)) return bytes.subarray(start, end + 1)
  if (bytes.size === 0) return Buffer.alloc(0)
  const stream = storage.read(bytes.key, { start, end })
  await once(stream, 'readable').catch((error) => {
    throw isAbsent(error) ? new NotFound('File', bytes.key) : error
  })
  return stream
}

const isAbsent = ({ code, name }: NodeJS.ErrnoException): boolean => code === 'ENOENT' || name === 'NoSuchKey'
