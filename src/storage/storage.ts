import type { Readable } from 'node:stream'

/**
 * Where the bytes of files are. Keys are made by the service, never by a caller:
 *
 *     incoming/<uuid v7>                       has just arrived and belongs to nothing yet
 *     uploads/<environment>/<asset>/<offset>   chunks of an upload that is not finished
 *     originals/<environment>/<sha256>
 *     derivatives/<environment>/<sha256>/<name>
 *     cache/<environment>/<sha256>/<transform>
 */
export type Storage = {
  /** Durable when it resolves; until then nobody sees any of it, and a failure leaves nothing behind. */
  put(key: string, bytes: Readable | Buffer, options?: { mimeType?: string }): Promise<{ size: number }>
  /** `end` is the last byte, as in HTTP. What is absent fails as the stream is read. */
  read(key: string, range?: { start?: number; end?: number }): Readable
  /** Undefined where there is nothing. */
  size(key: string): Promise<number | undefined>
  /** Replaces what is there. */
  move(from: string, to: string): Promise<void>
  /** What is absent already is no failure. */
  remove(key: string): Promise<void>
  /** All keys that begin with `prefix`, which ends with a slash. */
  list(prefix: string): AsyncIterable<{ key: string; size: number }>
  /** Where it lies on this machine, for programs that read files; undefined elsewhere. */
  localPath(key: string): string | undefined
  /** An address at which anybody can read it for a while. */
  presign?(key: string, seconds: number): Promise<string>
  /** Fails with the reason where files cannot be written, read and removed. */
  check(): Promise<void>
}

const segment = /^[A-Za-z0-9_-][A-Za-z0-9._,-]*$/

/** Keys are made by our own code; this makes sure that none leads out of the storage. */
export const checkKey = (key: string): string => {
  if (key.length > 500 || !key.split('/').every((part) => segment.test(part)))
    throw new Error('not a key of the storage')
  return key
}

export const removeAll = async (storage: Storage, prefix: string): Promise<void> => {
  for await (const { key } of storage.list(prefix)) await storage.remove(key)
}
