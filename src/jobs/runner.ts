import type { Logger as Log } from 'pino'
import type { Context } from '../context.ts'
import { schedule, tasks } from './tasks.ts'

/** Its everyday remarks are for debugging; what it says of a failed job quotes the error, which is described instead. */
const quiet = ({ Logger }: Worker, log: Log) =>
  new Logger(() => (level, message, meta) => {
    const { error, job } = (meta ?? {}) as { error?: unknown; job?: { task_identifier: string } }
    if (error) log.error({ err: error, task: job?.task_identifier }, 'background work failed')
    else if (level === 'error' || level === 'warning') log[level === 'error' ? 'error' : 'warn']({}, message)
    else log.debug({}, message)
  })

/** Loaded when it is needed: most commands do without, and the start need not wait for it. */
const load = () => import('graphile-worker')
type Worker = Awaited<ReturnType<typeof load>>

export const installJobs = async (connectionString: string, log: Log): Promise<void> => {
  const worker = await load()
  await worker.runMigrations({ connectionString, logger: quiet(worker, log) })
}

/** Runs background tasks until stopped; what was under way is given time to finish. */
export const startJobs = async (context: Context, connectionString: string, concurrency = 4) => {
  const taskList = Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (payload: unknown) => task(context, payload as never),
    ]),
  )
  const worker = await load()
  const runner = await worker.run({
    connectionString,
    concurrency,
    taskList,
    crontab: schedule.join('\n'),
    noHandleSignals: true,
    pollInterval: 2000,
    logger: quiet(worker, context.log),
  })
  return { stop: () => runner.stop() }
}
