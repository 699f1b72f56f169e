import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { startEmbedded } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { withSession } from '../src/database/session.ts'
import { bootstrap } from '../src/features/access/bootstrap.ts'
import { makeCertificate } from '../src/http/certificate.ts'
import { listen } from '../src/http/server.ts'
import { installJobs } from '../src/jobs/runner.ts'
import { createLog, runContext } from '../src/service.ts'

/** A PostgreSQL server of its own in a temporary folder, as the service would start it. */
export const benchDatabase = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
  const server = await startEmbedded({ folder })
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const explaining = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
}

/** One whose folder stays for the next time, if a folder is named; its log explains every statement on request. */
export const keptDatabase = async ({
  folder,
  explain,
}: {
  folder?: string | undefined
  explain: boolean
}) => {
  if (!folder) return { ...(await benchDatabase()), logFile: '' }
  const server = await startEmbedded({ folder, settings: explain ? explaining : {} })
  return { url: server.url, logFile: server.logFile, [Symbol.asyncDispose]: () => server.stop() }
}

/** A migrated database with that name and the service on it, reached as a trusted proxy over plain HTTP. */
export const benchService = async (
  serverUrl: string,
  name: string,
  settings: Record<string, string> = {},
) => {
  await withSession(serverUrl, async (session) => {
    const [known] = await session`select 1 from pg_database where datname = ${name}`
    if (!known) await session.run(`create database ${name}`)
  })
  const url = serverUrl.replace(/\/marquee(?=\?|$)/, `/${name}`)
  await withSession(url, migrate)
  await installJobs(url, createLog('silent'))
  const token = 'mq_benchmark-token-0123456789'
  const secret = 'a-secret-key-for-benchmarks-0123456789'
  const config = readConfig({
    DATABASE_URL: url,
    MARQUEE_SECRET_KEY: secret,
    MARQUEE_PORT: '0',
    MARQUEE_HTTP_PORT: '0',
    MARQUEE_HOST: '127.0.0.1',
    MARQUEE_TRUST_PROXY: '127.0.0.1',
    MARQUEE_BOOTSTRAP_TOKEN: token,
    ...settings,
  })
  const running = await runContext(config, { url, directUrl: url }, secret, createLog('error'), {
    background: true,
  })
  await bootstrap(running.context)
  const listening = await listen(running.context, await makeCertificate([]))
  const environment = await running.context.db
    .selectFrom('environments')
    .selectAll()
    .executeTakeFirstOrThrow()
  return {
    context: running.context,
    url,
    environment,
    origin: `http://127.0.0.1:${listening.httpPort}`,
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-proto': 'https' },
    async [Symbol.asyncDispose]() {
      await listening.close()
      await running.close()
    },
  }
}
export type BenchService = Awaited<ReturnType<typeof benchService>>

export const percentile = (times: number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!

/** Times of `rounds` calls, one after the other, after a warm-up. */
export const timed = async (rounds: number, work: (round: number) => Promise<unknown>): Promise<number[]> => {
  for (let round = 0; round < Math.min(20, rounds); round += 1) await work(round)
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const from = performance.now()
    await work(round)
    times.push(performance.now() - from)
  }
  return times
}

export const among = <T>(list: T[], count: number): T[] =>
  Array.from({ length: count }, (_, n) => list[Math.floor((n * list.length) / count)]!)

/** Neighbours exchanged in the middle of a word. */
export const misspelt = (word: string): string => {
  const middle = Math.floor(word.length / 2)
  return word.slice(0, middle) + word[middle + 1] + word[middle] + word.slice(middle + 2)
}
