import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { alive } from '../../src/database/embedded/processes.ts'
import { startEmbedded } from '../../src/database/embedded.ts'

export const program = fileURLToPath(new URL('../../bin/marquee.js', import.meta.url))

export type Ended = { code: number | null; signal: NodeJS.Signals | null }
export type Run = Ended & { out: string; err: string }

/** What a process gets: nothing of this one's settings, free ports, only loopback. */
export const settings = (data: string, extra: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  MARQUEE_DATA: data,
  MARQUEE_HOST: '127.0.0.1',
  MARQUEE_PORT: '0',
  MARQUEE_HTTP_PORT: '0',
  ...extra,
})

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'marquee-cli-'))

type Options = { cwd?: string; env?: Record<string, string> }

const launch = (args: string[], { cwd, env }: Options) => {
  const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const text = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    text.out += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    text.err += chunk
  })
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal })),
  )
  return { child, text, ended }
}

/** Runs one command to its end. */
export const run = async (args: string[], options: Options, limit = 40_000): Promise<Run> => {
  const { child, text, ended } = launch(args, options)
  const timer = setTimeout(() => child.kill('SIGKILL'), limit)
  const result = await ended
  clearTimeout(timer)
  return { ...result, ...text }
}

export type Service = {
  child: ChildProcess
  pid: number
  /** What stood on the terminal. */
  text: { out: string; err: string }
  ended: Promise<Ended>
  port: number
  httpPort: number
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/** The real service in a process of its own; resolves when it says where it listens. */
export const startService = async (options: Options, limit = 60_000): Promise<Service> => {
  const { child, text, ended } = launch(['start'], options)
  let over: Ended | undefined
  ended.then((result) => {
    over = result
  })
  const until = Date.now() + limit
  while (!text.err.includes('Ctrl-C stops')) {
    if (over) throw new Error(`the service ended with ${JSON.stringify(over)}:\n${text.err}${text.out}`)
    if (Date.now() > until) {
      child.kill('SIGKILL')
      throw new Error(`the service did not start within ${limit} ms:\n${text.err}`)
    }
    await sleep(10)
  }
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> => {
    if (!over) child.kill(signal)
    return ended
  }
  const find = (pattern: RegExp): number => Number(pattern.exec(text.err)?.[1])
  return {
    child,
    pid: child.pid!,
    text,
    ended,
    port: find(/Interface\s+https:\/\/localhost:(\d+)/),
    httpPort: find(/Plain HTTP\s+port (\d+)/),
    stop,
  }
}

export const postmasterPid = (data: string): number =>
  Number(readFileSync(join(data, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

/** Ends whatever still runs on a data folder and removes the folder, also after a failure. */
export const cleanUp = async (folder: string, data: string, service?: Service): Promise<void> => {
  if (service && alive(service.pid)) await service.stop('SIGKILL')
  try {
    if (alive(postmasterPid(data))) await (await startEmbedded({ folder: data })).stop()
  } catch {
    // No cluster, or none that runs.
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Two ports that nobody listens on, for what must know them before the start. */
export const freePorts = async (): Promise<[string, string]> => {
  const open = [createServer(), createServer()]
  const ports = await Promise.all(
    open.map(async (server) => {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      return `${(server.address() as AddressInfo).port}`
    }),
  )
  for (const server of open) server.close()
  return ports as [string, string]
}
