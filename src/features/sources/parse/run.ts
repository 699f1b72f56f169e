import { Worker } from 'node:worker_threads'
import { PollFailure } from '../connect/polling.ts'
import type { Digest } from './digest.ts'

export type Work = {
  kind: 'feed' | 'microblog'
  bytes: Uint8Array
  contentType: string
  url: string
  seen: string
  now: number
}
export type Outcome = Digest & { ttl?: number | undefined; cursor?: string | undefined; count: number }

/** What the thread says: that it can begin, and then what each work came to. */
export type Sent = 'ready' | { fault: string } | Outcome

type Job = { work: Work; resolve(outcome: Outcome): void; reject(error: Error): void }

/** A feed of 500 items takes a tenth of a second; what takes longer than this is made to. */
const patience = 3000
/** The thread and its memory are given back when there is nothing to do. */
const idle = 30_000
const megabytes = 192
export const unreadable = 'What is at the address cannot be read'
/** The same file once types are stripped. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const program = new URL(`./worker.${extension}`, import.meta.url)

/** Reads feeds one after the other in a thread beside the one that answers requests. */
export const feedReader = () => {
  const waiting: Job[] = []
  let worker: Worker | undefined
  let current: Job | undefined
  let timer: NodeJS.Timeout | undefined
  let isReady = false

  const end = (): void => {
    clearTimeout(timer)
    const ended = worker
    worker = undefined
    isReady = false
    ended?.removeAllListeners()
    ended?.on('error', () => {})
    ended?.terminate().catch(() => {})
  }
  const settle = (answer: (job: Job) => void): void => {
    clearTimeout(timer)
    const job = current
    current = undefined
    if (job) answer(job)
    next()
  }
  const fail = (message: string): void => {
    end()
    settle(({ reject }) => reject(new PollFailure(message)))
  }
  const start = (): Worker => {
    const made = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: megabytes } })
    made.on('message', (sent: Sent) => {
      if (sent === 'ready') return hand(made)
      settle(({ resolve, reject }) => ('fault' in sent ? reject(new PollFailure(sent.fault)) : resolve(sent)))
    })
    made.on('error', () => fail(unreadable))
    made.on('exit', () => fail(unreadable))
    made.unref()
    return made
  }
  /** The time runs from when the thread has loaded what it needs. */
  const hand = (to: Worker): void => {
    isReady = true
    clearTimeout(timer)
    timer = setTimeout(fail, patience, 'What is at the address takes too long to read')
    to.postMessage(current!.work)
  }
  const next = (): void => {
    if (current) return
    current = waiting.shift()
    if (!current) timer = setTimeout(end, idle).unref()
    else if (worker && isReady) hand(worker)
    else worker ??= start()
  }
  return {
    read: (work: Work): Promise<Outcome> =>
      new Promise((resolve, reject) => {
        waiting.push({ work, resolve, reject })
        clearTimeout(current ? undefined : timer)
        next()
      }),
    end,
  }
}
export type FeedReader = ReturnType<typeof feedReader>
