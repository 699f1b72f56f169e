import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AssetTooLarge, Failure, invalid } from '../errors.ts'
import type { Storage } from '../storage/storage.ts'
import { type Files, patience, receiveFiles } from './files.ts'
import { checkJson, nameLimits, nest, parseQuery, shown } from './query.ts'

export const maxBody = 10_000_000

export class TooLarge extends Failure {
  override name = 'TooLarge'
}

/** The sender went away, or was cut off, before its body was there. */
export class Aborted extends Failure {
  override name = 'Aborted'
}

class UnsupportedMediaType extends Failure {
  override name = 'UnsupportedMediaType'
}

/** JSON, urlencoded and multipart bodies become the same nested value; anything else is 415. */
export const acceptBodies = (app: FastifyInstance, storage: Storage): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const text = await readText(request, payload)
    if (text.trim() === '') return undefined
    const value = parseJson(text)
    checkJson(value)
    return value
  })
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      request.isForm = true
      return parseQuery(await readText(request, payload))
    },
  )
  app.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      request.isForm = true
      return readMultipart(request, payload, storage)
    },
  )
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('', 'the body is not valid JSON')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const readText = async (request: FastifyRequest, payload: IncomingMessage): Promise<string> => {
  using progress = request.server.progress.body(request.raw)
  checkHead(request)
  const bytes = await readBytes(payload, progress.add)
  requireWhole(request, bytes.length)
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('', 'the body is not valid UTF-8')
  }
}

/** By events: as an iterator, reading took a twentieth of a small write. What is too much is left unread. */
const readBytes = (payload: IncomingMessage, arrived: (bytes: number) => void): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const end = (settle: () => void): void => {
      payload.off('data', add).off('end', done).off('error', abort).off('close', abort)
      settle()
    }
    const add = (chunk: Buffer): void => {
      size += chunk.length
      arrived(chunk.length)
      chunks.push(chunk)
      if (size <= maxBody) return
      payload.pause()
      end(() => reject(new TooLarge(`over ${maxBody} bytes`)))
    }
    const done = () => end(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)))
    const abort = (cause?: unknown) => end(() => reject(new Aborted('the body did not arrive', { cause })))
    if (payload.destroyed) abort()
    else payload.on('data', add).on('end', done).on('error', abort).on('close', abort)
  })

/** What can be refused before the body is read. */
export const checkHead = ({ headers }: FastifyRequest, most = maxBody): void => {
  if (Number(headers['content-length'] ?? 0) > most) throw new TooLarge(`over ${most} bytes`)
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) throw new UnsupportedMediaType(charset)
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
    throw new UnsupportedMediaType(headers['content-encoding'])
}

/** What of a form that is still on its way to the storage may be taken for fields. */
const underway = 2_000_000

/** Fields, and files where the route names them. The first fault ends the reading. */
const readMultipart = async (
  request: FastifyRequest,
  payload: IncomingMessage,
  storage: Storage,
): Promise<unknown> => {
  const { files } = request.routeOptions.config
  using progress = request.server.progress.body(request.raw, files && patience)
  if (files) checkFileHead(request, files)
  else checkHead(request)
  const pairs: [string, unknown][] = []
  const parser = openMultipart(request)
  const stop = (error: Failure) => void parser.destroy(error)
  const receiving = receiveFiles(request, storage, stop)
  parser.on('field', (name, value, nameCut, valueCut) => {
    if (nameCut || valueCut) stop(invalid(shown(String(name)), 'is too long'))
    else pairs.push([String(name), value])
  })
  parser.on('file', (name, stream, fileName) =>
    receiving.add({ name: String(name), stream: stream as unknown as Readable, fileName }),
  )
  parser.on('fieldsLimit', () => stop(invalid('', `the form has more than ${nameLimits.pairs} fields`)))
  parser.on('partsLimit', () => stop(invalid('', `the form has more than ${nameLimits.pairs} parts`)))
  let size = 0
  payload.on('data', (chunk: Buffer) => {
    progress.add(chunk.length)
    size += chunk.length
    if (size - receiving.bytes() > maxBody + (files ? underway : 0))
      stop(new TooLarge(`over ${maxBody} bytes`))
  })
  payload.on('end', () => progress[Symbol.dispose]())
  payload.on('error', (cause) => stop(new Aborted('the body did not arrive', { cause })))
  payload.on('close', () => {
    if (!payload.readableEnded) stop(new Aborted('the body did not arrive'))
  })
  payload.pipe(parser)
  await finished(parser).catch((error: Error) =>
    receiving.fail(
      error instanceof Failure ? error : invalid('', 'the body is not valid multipart/form-data'),
    ),
  )
  pairs.push(...(await receiving.all()))
  requireWhole(request, size)
  return nest(pairs)
}

const checkFileHead = (request: FastifyRequest, files: Files): void => {
  const [[name, most] = ['', 0]] = Object.entries(files).sort(([, a], [, b]) => b - a)
  const all = Object.values(files).reduce((sum, bytes) => sum + bytes, maxBody)
  if (Number(request.headers['content-length'] ?? 0) > all) throw new AssetTooLarge(name, most)
  checkHead(request, Number.POSITIVE_INFINITY)
}

type Http2Raw = { stream?: { aborted: boolean; rstCode: number | undefined } }

/** Node ends the body of a cancelled HTTP/2 stream as if it were whole. */
export const requireWhole = ({ raw, headers }: FastifyRequest, size: number): void => {
  const { stream } = raw as unknown as Http2Raw
  const cancelled = raw.aborted || stream?.aborted || Boolean(stream?.rstCode)
  const told = headers['content-length']
  if (cancelled || (told !== undefined && Number(told) !== size)) throw new Aborted('the body did not arrive')
}

export const openMultipart = (request: FastifyRequest) => {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: {
        fields: nameLimits.pairs,
        parts: nameLimits.pairs,
        fieldSize: maxBody,
        fieldNameSize: 1000,
        headerPairs: 20,
      },
    })
  } catch {
    throw invalid('', 'the Content-Type names no usable multipart boundary')
  }
}
