import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../src/database/embedded.ts'
import { withSession } from '../src/database/session.ts'
import { cleanUp, newFolder, settings, startService } from '../test/cli/service.ts'
import { checkInteractions } from './kill/counted.ts'
import { call, type Post, post, startPosting } from './kill/interactions.ts'
import type { Target } from './kill/load.ts'
import { type KillTarget, strike, targets, token, type World } from './kill.ts'

/**
 * Kills the service, its PostgreSQL or both with SIGKILL while interactions are posted: everything that was answered
 * with 202 is stored, and nothing is stored or counted twice, also when all of it is sent again.
 *
 *   node bench/kill-interactions.ts --rounds 100 [--seconds 1.5] [--clients 32]
 */
export type Round = { target: KillTarget; acknowledged: number; open: number; failures: string[] }
type Options = {
  clients?: number
  seconds?: number
  patience?: number
  tell?: (round: Round, number: number) => void
}

export const killInteractionRounds = async (order: KillTarget[], options: Options = {}): Promise<Round[]> => {
  const folder = newFolder()
  const data = join(folder, 'data')
  const world: World = { data, service: undefined, env: settings(data, { MARQUEE_BOOTSTRAP_TOKEN: token }) }
  try {
    world.service = await startService({ cwd: folder, env: world.env })
    const publications = await addPublications(targetOf(world), 3)
    const rounds: Round[] = []
    for (const [number, target] of order.entries()) {
      const round = await killOnce(world, target, publications, number, options)
      options.tell?.(round, number)
      rounds.push(round)
    }
    await world.service.stop()
    return rounds
  } catch (error) {
    const { out, err } = world.service?.text ?? { out: '', err: '' }
    throw new Error(`the service said:\n${err.slice(-2000)}\n${out.slice(-4000)}`, { cause: error })
  } finally {
    await cleanUp(folder, data, world.service)
  }
}

const targetOf = ({ service }: World): Target => ({ port: service!.port, token })

const addPublications = (target: Target, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const items = { 'en-US': { title: { label: 'Text', body: 'Killed', format: null } } }
      const body = { label: 'Publication', locales: ['en-US'], items }
      const response = await call(target, '/publications', body)
      if (response.status !== 201) throw new Error(`no publication was made: ${await response.text()}`)
      return ((await response.json()) as { id: string }).id
    }),
  )

const killOnce = async (
  world: World,
  target: KillTarget,
  publications: string[],
  number: number,
  { clients = 32, seconds = 1.5, patience = 10 }: Options,
): Promise<Round> => {
  const load = startPosting(targetOf(world), publications, number, clients)
  await strike(world, target, load, { seconds, patience })
  const { posts } = load
  const acknowledged = posts.filter(({ isDone }) => isDone).length
  const before = await look(world, posts)
  await sendAgain(world, posts)
  const after = await look(world, posts)
  const failures = [...new Set([...before, ...after])]
  return { target, acknowledged, open: posts.length - acknowledged, failures }
}

/** Everything comes again: what had no answer is stored then, and what was stored is not stored once more. */
const sendAgain = async (world: World, posts: Post[]): Promise<void> => {
  const waiting = [...posts]
  const client = async (): Promise<void> => {
    for (let one = waiting.pop(); one; one = waiting.pop()) await insist(targetOf(world), one)
  }
  await Promise.all(Array.from({ length: 16 }, client))
}

/** A service that has just started on a busy machine may ask to be asked again. */
const insist = async (target: Target, one: Post): Promise<void> => {
  for (const until = Date.now() + 30_000; !(await post(target, one)); await sleep(100))
    if (Date.now() > until) throw new Error('a repeat was not taken within 30 s')
}

const look = async ({ data }: World, posts: Post[]): Promise<string[]> => {
  const { url } = await startEmbedded({ folder: data })
  return withSession(url, (session) => checkInteractions(session, posts))
}

const tell = ({ target, acknowledged, open, failures }: Round, number: number): void =>
  console.log(
    `round ${String(number + 1).padStart(3)}  ${target.padEnd(8)}  ${String(acknowledged).padStart(6)} acknowledged  ` +
      `${String(open).padStart(4)} without an answer  ${failures.length} faults`,
  )

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '1.5' },
      clients: { type: 'string', default: '32' },
    },
  })
  const order = Array.from({ length: Number(values.rounds) }, (_, n) => targets[n % targets.length]!)
  const rounds = await killInteractionRounds(order, {
    seconds: Number(values.seconds),
    clients: Number(values.clients),
    patience: 30,
    tell,
  })
  const failures = rounds.flatMap(({ failures }, n) => failures.map((text) => `round ${n + 1}: ${text}`))
  const sum = rounds.reduce((total, { acknowledged }) => total + acknowledged, 0)
  console.log(`${rounds.length} rounds, ${sum} requests acknowledged, ${failures.length} faults`)
  for (const failure of failures.slice(0, 50)) console.log(failure)
  process.exitCode = failures.length > 0 ? 1 : 0
}

if (import.meta.main) await main()
