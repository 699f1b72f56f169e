import { setPriority } from 'node:os'
import { type Order, Refused, type Task } from './orders.ts'

/** Each is loaded when it is asked for: the encoder alone is 140 MB on disk. */
const tasks: Record<string, () => Promise<Task>> = {
  image: async () => (await import('./tasks/image.ts')).processImage,
  audio: async () => (await import('./tasks/audio.ts')).processAudio,
  video: async () => (await import('./tasks/video.ts')).processVideo,
  pdf: async () => (await import('./tasks/pdf.ts')).processPdf,
  resize: async () => (await import('./tasks/resize.ts')).resizeImage,
  cut: async () => (await import('./tasks/cut.ts')).cutSound as Task,
}

export type Sent = { id: number; order: Order }
export type Answered =
  | { id: number; progress: number }
  | { id: number; result: unknown }
  | { id: number; refused: string }
  | { id: number; failed: string }

const reportEvery = 250

// Whoever wanted it is gone.
process.once('disconnect', () => process.exit())

process.on('message', ({ id, order }: Sent) => {
  // Whoever waits for a picture waits for it now; what is encoded can wait for requests.
  if (order.task !== 'resize' && order.task !== 'image') setPriority(10)
  perform(id, order).then(answer)
})

const answer = (answered: Answered): void => {
  if (process.connected) process.send!(answered)
}

const perform = async (id: number, order: Order): Promise<Answered> => {
  let reportedAt = 0
  const report = (progress: number): void => {
    if (performance.now() - reportedAt < reportEvery) return
    reportedAt = performance.now()
    answer({ id, progress })
  }
  try {
    const task = await tasks[order.task]!()
    return { id, result: await task(order as never, report) }
  } catch (error) {
    if (error instanceof Refused) return { id, refused: error.message }
    return { id, failed: (error as Error).stack ?? String(error) }
  }
}
