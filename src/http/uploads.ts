import type { IncomingMessage } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure, invalid } from '../errors.ts'
import { Aborted, checkHead, openMultipart, requireWhole, TooLarge } from './bodies.ts'
import { shown } from './query.ts'

/** How large a body that is read as it arrives may be, and how long it may take. */
type Most = { bytes: number; milliseconds: number }

/** A file as it arrives; the type is that of the body, or of its part in a form. */
export type Upload = { type: string; name: string | undefined; chunks: AsyncIterable<Buffer> }

/** Bodies of these types are handed to the route unread; it opens them with `openUpload`. */
export const acceptUploads = (app: FastifyInstance, types: string[]): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(types, (_request, payload, done) => done(null, payload))
}

/** The file that a request carries, as its body or as the one part of a form. */
export const openUpload = async (request: FastifyRequest, most: Most): Promise<Upload> => {
  const payload = request.body as IncomingMessage | undefined
  if (!payload) throw invalid('', 'the body must be a file')
  checkHead(request, most.bytes)
  const type = essence(request.headers['content-type'])
  const chunks = arriving(request, payload, most)
  return type === 'multipart/form-data' ? openPart(request, chunks) : { type, name: undefined, chunks }
}

const essence = (type = ''): string => type.split(';', 1)[0]!.trim().toLowerCase()

async function* arriving(
  request: FastifyRequest,
  payload: IncomingMessage,
  { bytes, milliseconds }: Most,
): AsyncGenerator<Buffer> {
  using progress = request.server.progress.body(request.raw, milliseconds)
  let size = 0
  const { stream } = request.raw as unknown as { stream?: ServerHttp2Stream }
  // Whoever waits for more when a stream of HTTP/2 is cancelled is not told otherwise.
  stream?.once('aborted', () => payload.destroy())
  // Leaving the loop must not destroy the stream: that would close the connection under the answer.
  const reading = payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  try {
    for await (const chunk of reading) {
      size += chunk.length
      progress.add(chunk.length)
      if (size > bytes) throw new TooLarge(`over ${bytes} bytes`)
      yield chunk
    }
  } catch (error) {
    throw error instanceof Failure ? error : new Aborted('the body did not arrive', { cause: error })
  }
  // A cancelled stream of HTTP/2 ends like a whole one, and says a moment later that it was cancelled.
  if (stream) await setImmediate()
  if (stream?.aborted || stream?.rstCode) throw new Aborted('the stream was cancelled')
  requireWhole(request, size)
}

/** The head of the file is waited for; the rest arrives as it is read. */
const openPart = async (request: FastifyRequest, chunks: AsyncIterable<Buffer>): Promise<Upload> => {
  const parser = openMultipart(request)
  const stop = (error: Failure) => void parser.destroy(error)
  let file: Readable | undefined
  const feeding = pipeline(Readable.from(chunks), parser).catch((error) => {
    throw asFailure(error)
  })
  feeding.catch((error) => file?.destroy(error))
  parser.on('field', (name) =>
    stop(invalid(shown(String(name)), 'is not taken in the form; options stand in the query')),
  )
  return new Promise((resolve, reject) => {
    feeding.then(() => reject(invalid('', 'the form holds no file')), reject)
    parser.on('file', (field, stream, name, _encoding, type) => {
      if (file) {
        stream.resume()
        return stop(invalid(shown(String(field)), 'is a second file; one is taken'))
      }
      file = stream as unknown as Readable
      resolve({ type: essence(type), name, chunks: whole(file, parser, feeding) })
    })
  })
}

/** What the parser says of a form is for nobody. */
const asFailure = (error: unknown): Failure =>
  error instanceof Failure ? error : invalid('', 'the body is not valid multipart/form-data')

/** That the file has ended is not enough: what follows it in the form must be right, too. */
async function* whole(file: Readable, parser: Writable, feeding: Promise<void>): AsyncGenerator<Buffer> {
  try {
    yield* file as AsyncIterable<Buffer>
    await feeding
  } catch (error) {
    throw asFailure(error)
  } finally {
    parser.destroy()
  }
}
