import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../context.ts'
import { Unavailable } from '../../errors.ts'
import { noteUse, reserve } from './room.ts'

/** Of finished pictures, in each process; most are some 10 to 100 KB. */
const heldBytes = 32_000_000
const largestHeld = 500_000
/** More than these at once only makes everybody wait. */
const maxWaiting = 100

/** How exactly it is known when a picture was last used. */
const notedFor = 3_600_000

/** Pictures by the key that they are stored under: in memory, in the storage, or made now. */
export const pictureShelf = (context: Context) => {
  const { storage, log } = context
  const held = new LRUCache<string, Buffer>({
    maxSize: heldBytes,
    sizeCalculation: (bytes) => bytes.length || 1,
  })
  const noted = new LRUCache<string, true>({ max: 20_000, ttl: notedFor })
  const waiting = new Map<string, Promise<Buffer>>()

  const find = async (environment: string, key: string, make: () => Promise<Uint8Array>): Promise<Buffer> => {
    const size = await storage.size(key)
    if (size !== undefined) {
      if (!noted.has(key)) noteUse(context, environment, key)
      noted.set(key, true)
      return buffer(storage.read(key))
    }
    const bytes = Buffer.from(await make())
    await keep(environment, key, bytes).catch((error) =>
      log.warn({ err: error }, 'a picture could not be kept'),
    )
    return bytes
  }
  const keep = async (environment: string, key: string, bytes: Buffer): Promise<void> => {
    await reserve(context, environment, key, bytes.length)
    await storage.put(key, bytes)
    noted.set(key, true)
  }

  /** Those who ask for the same picture meanwhile wait for the same one. */
  return async (environment: string, key: string, make: () => Promise<Uint8Array>): Promise<Buffer> => {
    const known = held.get(key)
    if (known) return known
    const underWay = waiting.get(key)
    if (underWay) return underWay
    if (waiting.size >= maxWaiting) throw new Unavailable('too many pictures are being made', 2)
    const found = find(environment, key, make).finally(() => waiting.delete(key))
    waiting.set(key, found)
    const bytes = await found
    if (bytes.length <= largestHeld) held.set(key, bytes)
    return bytes
  }
}
