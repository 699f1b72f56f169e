import { Logger, run, runMigrations } from 'graphile-worker'
import type { Logger as Log } from 'pino'
import type { Context } from '../context.ts'
import { schedule, tasks } from './tasks.ts'

/** Its everyday remarks are for debugging; what it says of a failed job quotes the error, which is described instead. */
const quiet = (log: Log) =>
  new Logger(() => (level, message, meta) => {
    const { error, job } = (meta ?? {}) as { error?: unknown; job?: { task_identifier: string } }
    if (error) log.error({ err: error, task: job?.task_identifier }, 'background work failed')
    else if (level === 'error' || level === 'warning') log[level === 'error' ? 'error' : 'warn']({}, message)
    else log.debug({}, message)
  })

export const installJobs = (connectionString: string, log: Log): Promise<void> =>
  runMigrations({ connectionString, logger: quiet(log) })

/** Runs background tasks until stopped; what was under way is given time to finish. */
export const startJobs = async (context: Context, connectionString: string, concurrency = 4) => {
  const taskList = Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (payload: unknown) => task(context, payload as never),
    ]),
  )
  const runner = await run({
    connectionString,
    concurrency,
    taskList,
    crontab: schedule.join('\n'),
    noHandleSignals: true,
    pollInterval: 2000,
    logger: quiet(context.log),
  })
  return { stop: () => runner.stop() }
}
