import cluster, { type Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { type Config, readConfig } from '../config.ts'
import type { OpenDatabase } from '../database/open.ts'
import type { Certificate } from '../http/certificate.ts'
import { type Listening, listen } from '../http/server.ts'
import { createLog, runContext } from '../service.ts'

type Order = {
  urls: { url: string; directUrl: string }
  secretKey: string
  certificate: Certificate
  logLevel: string
}
type Told = { listening: { port: number; httpPort: number } } | { failed: string; code?: string } | 'wake'

/** MARQUEE_WORKERS processes behind the same ports; a dead one is replaced. Background work stays here. */
export const forkWorkers = async (
  config: Config,
  { url, directUrl, secretKey }: OpenDatabase,
  { cert, key }: Certificate,
  { wake, log }: { wake(): void; log: Logger },
): Promise<Listening> => {
  const order: Order = {
    urls: { url, directUrl },
    secretKey,
    certificate: { cert, key },
    logLevel: log.level,
  }
  let closing = false
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('../../bin/marquee.js', import.meta.url)),
    args: ['worker'],
  })
  const fork = (): Promise<{ port: number; httpPort: number }> => {
    const worker = cluster.fork()
    worker.on('exit', (code, signal) => {
      if (closing) return
      log.error({ code, signal }, 'an HTTP process has died; starting another')
      setTimeout(
        () => closing || fork().catch((error) => log.error({ err: error }, 'no new HTTP process')),
        200,
      )
    })
    return began(worker, order, wake)
  }
  const all = await Promise.all(Array.from({ length: config.workers }, fork))
  return {
    ...all[0]!,
    async close() {
      closing = true
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
      await Promise.all(
        workers.map((worker) => {
          const gone = new Promise((resolve) => worker.once('exit', resolve))
          worker.send('stop')
          return gone
        }),
      )
    },
  }
}

const began = (worker: Worker, order: Order, wake: () => void): Promise<{ port: number; httpPort: number }> =>
  new Promise((resolve, reject) => {
    worker.once('online', () => worker.send(order))
    worker.once('exit', () => reject(new Error('an HTTP process ended while it was starting')))
    worker.on('message', (told: Told) => {
      if (told === 'wake') wake()
      else if ('listening' in told) resolve(told.listening)
      else
        reject(
          Object.assign(new Error(told.failed), {
            code: told.code,
            syscall: 'listen',
            port: Number(told.failed.match(/\d+$/)?.[0]),
          }),
        )
    })
  })

/** The other side: an HTTP process without background work. */
export const runWorker = async (): Promise<void> => {
  const config = readConfig()
  const tell = (told: Told) => process.send?.(told)
  const order = await new Promise<Order>((resolve) => process.once('message', resolve as never))
  const log = createLog(order.logLevel)
  const running = await runContext(config, order.urls, order.secretKey, log, { background: false })
  running.context.wake = () => tell('wake')
  try {
    const server = await listen(running.context, order.certificate)
    tell({ listening: { port: server.port, httpPort: server.httpPort } })
    const stop = async () => {
      await server.close()
      await running.close()
      process.exit(0)
    }
    process.on('message', (message) => message === 'stop' && stop())
    process.on('disconnect', stop)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  } catch (error) {
    tell({ failed: (error as Error).message, code: (error as NodeJS.ErrnoException).code })
    process.exit(1)
  }
}
