import cluster from 'node:cluster'
import { relative } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { migrate } from '../database/migrate.ts'
import { keepRunning, type OpenDatabase, openDatabase } from '../database/open.ts'
import { withSession } from '../database/session.ts'
import { Explained } from '../explained.ts'
import { bootstrap, type FirstAccess } from '../features/access/bootstrap.ts'
import { certificateFor } from '../http/certificate.ts'
import { listen } from '../http/server.ts'
import { installJobs } from '../jobs/runner.ts'
import { createLog, runContext } from '../service.ts'
import { bold, dim, say, step } from './terminal.ts'
import { forkWorkers } from './workers.ts'

export const start = async (): Promise<void> => {
  const config = readConfig()
  const log = createLog(config.logLevel ?? (process.stdout.isTTY ? 'warn' : 'info'))
  say(`\n${bold('Marquee')}\n`)
  const undo: Undo = []
  const starting = begin(config, log, undo)
  const stop = stopOnce(undo, starting)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal))
  try {
    await starting
  } catch (error) {
    for (const end of undo.splice(0)) await end()
    throw error
  }
}

type Undo = (() => Promise<void> | void)[]

const begin = async (config: Config, log: ReturnType<typeof createLog>, undo: Undo): Promise<void> => {
  const database = await step('PostgreSQL', (note) => open(config, note))
  undo.unshift(() => database.close())
  await step('Tables', (note) => prepareTables(database, log, note))
  const running = await runContext(config, database, database.secretKey, log, { background: true })
  undo.unshift(running.close)
  const certificate = await certificateFor(config)
  const server = await step('HTTPS and the plain listener', async () =>
    config.workers > 1
      ? forkWorkers(config, database, certificate, { wake: running.context.wake, log })
      : listen(running.context, certificate),
  )
  undo.unshift(server.close)
  const watch = keepRunning(database, config, (line) => log.warn(line))
  undo.unshift(() => watch.stop())
  // Last, when nothing can fail any more: what it says is said only once.
  const first = await bootstrap(running.context)
  welcome(config, server, first, certificate.selfSigned)
}

/** Another Marquee on the same data folder is either a command that will end soon, or a running service. */
const open = async (config: Config, note: (text: string) => void): Promise<OpenDatabase> => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const database = await openDatabase(config, note)
    if (!database.embedded || database.embedded.started) return database
    note('Another Marquee process is using the data folder; waiting for it to end')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Explained(
    `Marquee is already running on ${config.data}. Use that one, stop it, or choose another folder with MARQUEE_DATA.`,
  )
}

export const prepareTables = async (
  { directUrl }: OpenDatabase,
  log: ReturnType<typeof createLog>,
  note: (text: string) => void,
): Promise<string[]> =>
  withSession(directUrl, async (sql) => {
    const applied = await migrate(sql, (name) => note(`Tables: ${name}`))
    const [queue] = await sql<
      { there: boolean }[]
    >`select to_regclass('graphile_worker.migrations') is not null as there`
    if (applied.length > 0 || !queue!.there) await installJobs(directUrl, log)
    return applied
  })

/** Ctrl-C during the start waits for its step, so that no PostgreSQL is left behind. */
const stopOnce = (undo: Undo, starting: Promise<void>) => {
  let stoppingSince: number | undefined
  return async (signal: string): Promise<void> => {
    // Who wraps us may pass on a signal that we also got ourselves, so one at the same instant is the same one.
    if (stoppingSince !== undefined && performance.now() - stoppingSince < 1000) return
    // A second Ctrl-C is an order; PostgreSQL recovers by itself at the next start.
    if (stoppingSince !== undefined) process.exit(130)
    stoppingSince = performance.now()
    say(`\n${dim(`${signal}: finishing what is under way`)}`)
    await starting.catch(() => {})
    for (const end of undo.splice(0)) await Promise.resolve(end()).catch((error) => say(String(error)))
    say(dim('Stopped.'))
    process.exit(0)
  }
}

const welcome = (
  config: Config,
  { port, httpPort }: { port: number; httpPort: number },
  first: FirstAccess | undefined,
  selfSigned: boolean,
): void => {
  const url = config.port === 0 ? `https://localhost:${port}` : config.publicUrl
  const trust = selfSigned ? ` --cacert ${relative(process.cwd(), config.data) || '.'}/tls/cert.pem` : ''
  say(`
  ${bold('Interface')}   ${url} and ${url}/v5
  ${bold('Studio')}      ${url}/studio
  ${bold('Reference')}   ${url}/docs
  ${bold('Plain HTTP')}  port ${httpPort}: answers 403, except behind MARQUEE_TRUST_PROXY`)
  if (first)
    say(`
  ${bold('First user')}  ${first.email}   ${bold('password')} ${config.adminPassword ? 'as configured' : first.password}
  ${bold('Token')}       ${config.bootstrapToken ? 'as configured' : first.token}
  ${dim('Both are shown only now; only their hashes are kept.')}`)
  say(`
  Try it:
  curl${trust} -H "Authorization: Bearer ${config.bootstrapToken ? '$MARQUEE_BOOTSTRAP_TOKEN' : (first?.token ?? '$TOKEN')}" ${url}/statuses
${first ? '' : `\n  ${dim('No token at hand? npx marquee token create --all-scopes')}\n`}
  ${dim(`Ctrl-C stops. ${cluster.isPrimary && config.workers > 1 ? `${config.workers} HTTP processes. ` : ''}Help: npx marquee --help`)}
`)
}
