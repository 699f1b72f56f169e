import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Order, Refused, type Report } from './orders.ts'
import type { Answered } from './process.ts'

/** The same file once types are stripped. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const program = fileURLToPath(new URL(`./process.${extension}`, import.meta.url))

/** Enough for the largest picture that is allowed, in the formats that must be decoded whole. */
const megabytes = Math.min(1500, Math.floor(totalmem() / 2_000_000))
const pages = megabytes * 16
const watchEvery = 100
/** Without any progress, in seconds. */
const patience = 180

type Waiting = {
  resolve(result: never): void
  reject(error: Error): void
  onProgress?: Report
  seconds: number
  timer?: NodeJS.Timeout
}

/** The process ended by itself or by somebody else. */
export class Ended extends Error {
  override name = 'Ended'
}

/** The process was ended for what it took; if one order was in it, that one is to blame. */
export class Stopped extends Refused {
  override name = 'Stopped'
}

/**
 * A process of its own for files that nobody can trust. It gets so much memory and so much time; whatever becomes of it,
 * the service goes on.
 */
export const startChild = (onEnd: () => void = () => {}) => {
  const child = fork(program, {
    execArgv: ['--max-old-space-size=256', `--wasm-max-mem-pages=${pages}`],
    env: { MALLOC_ARENA_MAX: '2' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const waiting = new Map<number, Waiting>()
  let number = 0
  let reason: Error | undefined

  const end = (why: Error): void => {
    reason ??= why
    child.kill('SIGKILL')
  }
  const take = (id: number): Waiting | undefined => {
    const order = waiting.get(id)
    waiting.delete(id)
    clearTimeout(order?.timer)
    return order
  }
  const beginWaiting = (order: Waiting): void => {
    clearTimeout(order.timer)
    const late = new Stopped(`Processing was stopped after ${order.seconds} seconds without progress.`)
    order.timer = setTimeout(end, order.seconds * 1000, late)
  }
  const watch = setInterval(async () => {
    const used = await residentMegabytes(child.pid)
    if (used > megabytes)
      end(new Stopped(`Processing was stopped because it needed more than ${megabytes} MB of memory.`))
  }, watchEvery)

  child.on('message', (answered: Answered) => {
    if ('progress' in answered) {
      const order = waiting.get(answered.id)
      if (order) beginWaiting(order)
      order?.onProgress?.(answered.progress)
      return
    }
    const order = take(answered.id)
    if ('result' in answered) order?.resolve(answered.result as never)
    else if ('refused' in answered) order?.reject(new Refused(answered.refused))
    else order?.reject(new Error(answered.failed))
  })
  const gone = (why: Error): void => {
    clearInterval(watch)
    for (const id of [...waiting.keys()]) take(id)?.reject(reason ?? why)
    onEnd()
  }
  child.on('error', (error) => gone(new Ended(`The media process cannot be used: ${error.message}`)))
  child.on('exit', (code, signal) => gone(new Ended(`The media process ended with ${signal ?? code}.`)))

  return {
    pid: child.pid,
    run<Result>(order: Order, { onProgress, seconds = patience }: Running = {}): Promise<Result> {
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      const id = ++number
      const entry: Waiting = { resolve, reject, onProgress, seconds }
      waiting.set(id, entry)
      beginWaiting(entry)
      child.send({ id, order }, (error) => error && take(id)?.reject(new Ended(error.message)))
      return promise
    },
    stop: () => end(new Ended('The media process was stopped.')),
  }
}
export type Child = ReturnType<typeof startChild>
export type Running = { onProgress?: Report; seconds?: number }

/** What it holds itself, without the programs and files that it only looks at. */
const residentMegabytes = async (pid: number | undefined): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000
}
