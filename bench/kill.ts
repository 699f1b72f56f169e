import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readPidFile } from '../src/database/embedded/pidfile.ts'
import { startEmbedded } from '../src/database/embedded.ts'
import { withSession } from '../src/database/session.ts'
import {
  cleanUp,
  newFolder,
  postmasterPid,
  type Service,
  settings,
  startService,
} from '../test/cli/service.ts'
import { check, type Found } from './kill/check.ts'
import { type Load, send, startLoad, type Write } from './kill/load.ts'

/**
 * Kills the service, its PostgreSQL or both with SIGKILL in the middle of writes and looks whether everything
 * that was acknowledged is there, once, and nothing is half done.
 *
 *   node bench/kill.ts --rounds 100 [--target server|postgres|both] [--clients 16] [--seconds 1.5]
 */
export const targets = ['server', 'postgres', 'both'] as const
export type KillTarget = (typeof targets)[number]
export type Round = Found & { target: KillTarget; acknowledged: number; retried: number; recovery: number }
export type Options = {
  clients?: number
  /** Writes a second; without it as many as are answered. */
  rate?: number
  seconds?: number
  patience?: number
  tell?: (round: Round, number: number) => void
  env?: Record<string, string>
  /** Done when the service has started, and when the last round is over. */
  begin?: (service: Service) => Promise<void>
  end?: (data: string) => Promise<void>
}

export const token = 'mq_token-of-the-durability-proof-0123456789'

export const killRounds = async (order: KillTarget[], options: Options = {}): Promise<Round[]> => {
  const folder = newFolder()
  const data = join(folder, 'data')
  const world: World = {
    data,
    service: undefined,
    env: settings(data, { MARQUEE_BOOTSTRAP_TOKEN: token, ...options.env }),
  }
  try {
    world.service = await startService({ cwd: folder, env: world.env })
    await options.begin?.(world.service)
    const rounds: Round[] = []
    for (const [number, target] of order.entries()) {
      const round = await killOnce(world, target, `r${number}`, options)
      options.tell?.(round, number)
      rounds.push(round)
    }
    await options.end?.(data)
    await world.service.stop()
    return rounds
  } catch (error) {
    const { out, err } = world.service?.text ?? { out: '', err: '' }
    throw new Error(`the service said:\n${err.slice(-2000)}\n${out.slice(-4000)}`, { cause: error })
  } finally {
    await cleanUp(folder, data, world.service)
  }
}

export type World = { data: string; service: Service | undefined; env: Record<string, string> }

const killOnce = async (
  world: World,
  target: KillTarget,
  name: string,
  { clients = 16, seconds = 1.5, patience = 10, rate }: Options,
): Promise<Round> => {
  const load = startLoad({ port: world.service!.port, token }, name, clients, rate)
  const recovery = await strike(world, target, load, { seconds, patience })
  const acknowledged = load.writes.filter(({ id }) => id !== undefined)
  const before = await look(world.data, load.writes)
  const retried = await retry(world.service!.port, load.writes)
  const after = await look(world.data, load.writes)
  const both = (key: keyof Found) => [...new Set([...before[key], ...after[key]])]
  return {
    target,
    acknowledged: acknowledged.length,
    retried,
    recovery,
    lost: both('lost'),
    doubled: both('doubled'),
    broken: both('broken'),
  }
}

type Stoppable = Pick<Load, 'doneSince' | 'stop'>

/** Kills in the middle of a load; gives how long it takes until writes are done again. The load is stopped then. */
export const strike = async (
  world: World,
  target: KillTarget,
  load: Stoppable,
  { seconds = 1.5, patience = 10 }: Pick<Options, 'seconds' | 'patience'>,
): Promise<number> => {
  const service = world.service!
  await until(() => load.doneSince(0), 30, 'no write was done')
  await sleep(Math.random() * seconds * 1000)
  const killedAt = performance.now()
  const postmaster = postmasterPid(world.data)
  if (target !== 'server') process.kill(postmaster, 'SIGKILL')
  if (target !== 'postgres') service.child.kill('SIGKILL')
  const recovered = target === 'postgres' ? await healed(world.data, postmaster, load, patience) : undefined
  await load.stop()
  if (target !== 'postgres') {
    await service.ended
    world.service = await startService({ cwd: world.data, env: world.env })
  }
  return (recovered ?? performance.now()) - killedAt
}

const until = async (isDone: () => boolean, seconds: number, otherwise: string): Promise<void> => {
  const from = performance.now()
  while (!isDone()) {
    if (performance.now() - from > seconds * 1000) throw new Error(`${otherwise} within ${seconds} s`)
    await sleep(10)
  }
}

/** The service starts a dead PostgreSQL by itself. What the old one's processes still finish does not count. */
const healed = async (data: string, killed: number, load: Stoppable, patience: number): Promise<number> => {
  const isReady = () => {
    const file = readPidFile(join(data, 'postgres'))
    return file?.status === 'ready' && file.pid !== killed
  }
  await until(isReady, patience, 'PostgreSQL was not started again')
  const readyAt = performance.now()
  await until(() => load.doneSince(readyAt), patience, 'no write was done again')
  return performance.now()
}

const look = async (data: string, writes: Write[]): Promise<Found> => {
  const { url } = await startEmbedded({ folder: data })
  return withSession(url, (session) => check(session, writes))
}

/** A client that got no answer asks again with the same key. */
const retry = async (port: number, writes: Write[]): Promise<number> => {
  const open = writes.filter(({ id, kind }) => id === undefined && kind !== 'change')
  for (const write of open)
    if (!(await send({ port, token }, write))) throw new Error(`the retry of ${write.name} was not done`)
  return open.length
}

export const failures = (rounds: Round[]): string[] =>
  rounds.flatMap(({ lost, doubled, broken }, number) => [
    ...lost.map((name) => `round ${number + 1}: lost ${name}`),
    ...doubled.map((name) => `round ${number + 1}: doubled ${name}`),
    ...broken.map((rule) => `round ${number + 1}: ${rule}`),
  ])

export const tell = ({ target, acknowledged, retried, recovery, ...found }: Round, number: number): void => {
  const figures = [
    `round ${String(number + 1).padStart(3)}  ${target.padEnd(8)}`,
    `${String(acknowledged).padStart(6)} acknowledged`,
    `${String(retried).padStart(5)} retried`,
    `${found.lost.length} lost`,
    `${found.doubled.length} doubled`,
    `${found.broken.length} rules broken`,
    `back after ${(recovery / 1000).toFixed(2)} s`,
  ]
  console.log(figures.join('  '))
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '3' },
      target: { type: 'string' },
      clients: { type: 'string', default: '16' },
      seconds: { type: 'string', default: '1.5' },
    },
  })
  const chosen = targets.filter((target) => !values.target || target === values.target)
  const count = Number(values.rounds)
  if (chosen.length === 0 || !(count > 0)) {
    console.error(
      'node bench/kill.ts --rounds <number> [--target server|postgres|both] [--clients 16] [--seconds 1.5]',
    )
    process.exit(2)
  }
  const order = Array.from({ length: count }, (_, number) => chosen[number % chosen.length]!)
  const rounds = await killRounds(order, {
    clients: Number(values.clients),
    seconds: Number(values.seconds),
    tell,
  })
  const sum = (of: (round: Round) => number) => rounds.reduce((total, round) => total + of(round), 0)
  const slowest = Math.max(...rounds.map(({ recovery }) => recovery)) / 1000
  console.log(
    `${rounds.length} rounds, ${sum((r) => r.acknowledged)} writes acknowledged, ${sum((r) => r.lost.length)} lost, ` +
      `${sum((r) => r.doubled.length)} doubled, ${sum((r) => r.broken.length)} rules broken, slowest recovery ${slowest.toFixed(2)} s`,
  )
  for (const failure of failures(rounds)) console.log(failure)
  process.exitCode = failures(rounds).length > 0 ? 1 : 0
}

if (import.meta.main) await main()
