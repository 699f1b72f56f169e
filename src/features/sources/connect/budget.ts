import type { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'

/** What every body may hold, and what all bodies together may hold beyond that. */
const freeBytes = 250_000
const sharedBytes = 64_000_000

/** Large bodies wait for one another, so that many of them do not fill the memory; their time runs on. */
export const byteBudget = () => {
  let left = sharedBytes
  return async (body: Readable, signal: AbortSignal): Promise<{ bytes: Buffer; free(): void }> => {
    const chunks: Buffer[] = []
    let size = 0
    let taken = 0
    const free = () => {
      left += taken
      taken = 0
    }
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        size += chunk.length
        while (size > freeBytes && left < chunk.length) await setTimeout(20, undefined, { signal })
        if (size > freeBytes) {
          left -= chunk.length
          taken += chunk.length
        }
        chunks.push(chunk)
      }
      return { bytes: Buffer.concat(chunks), free }
    } catch (error) {
      free()
      throw error
    }
  }
}
export type ByteBudget = ReturnType<typeof byteBudget>
