import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AssetTooLarge, Failure, invalid, Unavailable } from '../errors.ts'
import { storeIncoming } from '../storage/incoming.ts'
import type { Storage } from '../storage/storage.ts'
import { plainName, UploadedFile } from '../storage/uploaded.ts'
import { shown } from './query.ts'

/** The names that a file may come under, `images.0` or `images[0]`, with the most bytes of each. */
export type Files = Readonly<Record<string, number>>

/** What arrives at once in a process: each holds about a megabyte and the place of a request. */
const mostAtOnce = 64
/** How long a file may take, however steadily it comes. */
export const patience = 6 * 3_600_000

const dotted = (name: string): string => name.replaceAll('[', '.').replaceAll(']', '')

/** What a handler did not take goes when its request is over, however it ended. */
export const dropFiles = (app: FastifyInstance, storage: Storage): void => {
  app.decorateRequest('files', undefined)
  app.addHook('onResponse', (request, _reply, done) => {
    done()
    if (request.files) void drop(request, storage)
  })
}

const drop = async ({ files = [], log }: FastifyRequest, storage: Storage): Promise<void> => {
  for (const { taken, key } of files)
    if (!taken) await storage.remove(key).catch((error) => log.warn({ err: error }, 'a file was left behind'))
}

type Part = { name: string; stream: Readable; fileName: string | undefined }

let atOnce = 0

/** Takes the file parts of a form as they arrive. The first fault stops them all. */
export const receiveFiles = (request: FastifyRequest, storage: Storage, stop: (error: Failure) => void) => {
  const files: Files = request.routeOptions.config.files ?? {}
  const parts = new Map<string, Part>()
  const taking: Promise<void>[] = []
  const pairs: [string, UploadedFile][] = []
  let failure: Failure | undefined
  let bytes = 0

  const fail = (error: unknown): void => {
    if (failure) return
    failure = error instanceof Failure ? error : notStored(request, error)
    for (const { stream } of parts.values()) stream.destroy(failure)
    stop(failure)
  }
  const fault = (name: string): Failure | undefined => {
    if (!Object.hasOwn(files, dotted(name))) return invalid(shown(name), 'is a file, which is not taken here')
    if (parts.has(dotted(name))) return invalid(shown(name), 'is sent twice; one file is taken')
    return atOnce >= mostAtOnce ? new Unavailable('too many files arrive at once', 5) : undefined
  }
  const take = async (part: Part): Promise<void> => {
    atOnce += 1
    try {
      const file = await receive(storage, part, files[dotted(part.name)]!, (more) => {
        bytes += more
      })
      request.files = [...(request.files ?? []), file]
      // A form in a browser sends a field without a choice as a file without name and bytes.
      if (file.size > 0) pairs.push([part.name, file])
      else if (part.fileName) fail(invalid(shown(part.name), 'is an empty file'))
    } catch (error) {
      fail(error)
    } finally {
      atOnce -= 1
    }
  }
  return {
    add(part: Part): void {
      part.stream.on('error', () => {})
      const wrong = fault(part.name)
      if (wrong) fail(wrong)
      if (failure) return void part.stream.resume()
      parts.set(dotted(part.name), part)
      taking.push(take(part))
    },
    fail,
    bytes: () => bytes,
    /** All of them, once they are durable; a failure, once none is being written any more. */
    async all(): Promise<[string, UploadedFile][]> {
      await Promise.all(taking)
      if (failure) throw failure
      return pairs
    },
  }
}

const notStored = (request: FastifyRequest, error: unknown): Failure => {
  request.log.error({ trace: request.traceId, err: error }, 'a file could not be stored')
  return new Unavailable('the file could not be stored', 5)
}

const receive = async (
  storage: Storage,
  { name, stream, fileName }: Part,
  most: number,
  arrived: (bytes: number) => void,
): Promise<UploadedFile> => {
  let before = 0
  const incoming = await storeIncoming(storage, stream as AsyncIterable<Buffer>, (size) => {
    arrived(size - before)
    before = size
    if (size > most) throw new AssetTooLarge(shown(name), most)
  })
  return new UploadedFile({ ...incoming, original_name: plainName(fileName) })
}
