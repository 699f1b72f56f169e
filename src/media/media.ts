import { availableParallelism } from 'node:os'
import { type Child, type Running, startChild } from './child.ts'
import { openLane } from './lane.ts'
import type { Order, Sizes } from './orders.ts'

/** In seconds: whoever waits for a picture has left by then. */
const pictureSeconds = 60

/** Work on files, in processes that begin when there is some. */
export const openMedia = () => {
  const pictures = openLane(Math.max(2, availableParallelism()), pictureSeconds)
  const children = new Set<Child>()

  return {
    /** The picture at `path` made to measure; what it told of itself is gone. */
    async resize(path: string, options: Sizes): Promise<Buffer> {
      const bytes = await pictures.run<Uint8Array>({ task: 'resize', input: path, output: '', options })
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    },
    /** Finds out about a picture, among those that are being made. */
    picture: <Result>(order: Order): Promise<Result> => pictures.run(order),
    /** In a process for this order alone. */
    async run<Result>(order: Order, running: Running & { signal?: AbortSignal } = {}): Promise<Result> {
      const child = startChild()
      children.add(child)
      running.signal?.addEventListener('abort', child.stop, { once: true })
      try {
        return await child.run<Result>(order, running)
      } finally {
        running.signal?.removeEventListener('abort', child.stop)
        children.delete(child)
        child.stop()
      }
    },
    close(): void {
      pictures.stop()
      for (const child of children) child.stop()
    },
  }
}
export type Media = ReturnType<typeof openMedia>
