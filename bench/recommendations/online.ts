import { Worker } from 'node:worker_threads'
import { startEmbedded } from '../../src/database/embedded.ts'
import type { Actor } from '../../src/features/access/authenticate.ts'
import { predict } from '../../src/features/recommendations/model/score.ts'
import { defaultWeights } from '../../src/features/recommendations/model/weights.ts'
import { modelCache } from '../../src/features/recommendations/predict/models.ts'
import { historyOfPerson, numbered } from '../../src/features/recommendations/predict/past.ts'
import { visitorOf } from '../../src/features/recommendations/predict/person.ts'
import { learnApart } from '../../src/features/recommendations/training/run.ts'
import { fill } from '../publications/fill.ts'
import type { Load, Measured } from '../publications/load.ts'
import { type BenchService, benchDatabase, benchService, percentile } from '../service.ts'
import { fillAudience } from './audience.ts'

type Options = {
  publications: number
  persons: number
  interactions: number
  seconds: number
  folder: string | undefined
}

/** A made-up audience: learning everything, then predictions over HTTP. */
export const judgeOnline = async (options: Options): Promise<void> => {
  await using database = options.folder ? await kept(options.folder) : await benchDatabase()
  await using service = await benchService(database.url, `recommended_${options.interactions}`)
  await prepare(service, options)
  await measureLearning(service)
  await measureModel(service, options)
  for (const [title, paths] of Object.entries(questions(options, await someIds(service))))
    await measureHttp(service, title, paths, options.seconds)
}

const kept = async (folder: string) => {
  const server = await startEmbedded({ folder })
  return { url: server.url, [Symbol.asyncDispose]: () => server.stop() }
}

const prepare = async (service: BenchService, options: Options): Promise<void> => {
  const { context, environment } = service
  const known = await context.db.selectFrom('interactions').select('id').limit(1).executeTakeFirst()
  if (known) return
  const { id: environment_id, organisation_id } = environment
  const actor = {
    organisation_id,
    environment_id,
    token_id: null,
    user_id: null,
    environment,
  } as unknown as Actor
  await fill(service, actor, options.publications)
  await fillAudience(service, options.persons, options.interactions)
}

const measureLearning = async ({ url, environment }: BenchService): Promise<void> => {
  const begun = performance.now()
  const { result, peak } = await learnApart({ url, environmentId: environment.id, kind: 'all' })
  const seconds = (performance.now() - begun) / 1000
  console.log(`everything learned in ${seconds.toFixed(0)} s, peak ${peak} MB:`, result)
}

const measureModel = async (service: BenchService, { persons }: Options): Promise<void> => {
  const { context, environment } = service
  const model = (await modelCache(context).of(environment.id))!
  const { speaks, content, sessions, popularity, support, ids } = model
  const arrays = [...Object.values(speaks), ...Object.values(content), ...Object.values(sessions.byItem)]
  const numbers = [...arrays, sessions.starts, sessions.items, popularity, support]
  // An id and its entry in the index take some 150 bytes.
  const held = numbers.reduce((sum, { byteLength }) => sum + byteLength, ids.length * 150)
  const times: number[] = []
  for (let round = 0; round < 1000; round++) {
    const actor = { environment_id: environment.id, person_key: null } as unknown as Actor
    const personId = `person-${1 + Math.floor((round * persons) / 1000)}`
    const visitor = await visitorOf(context.db, actor, { personId, sessionHash: undefined })
    const history = historyOfPerson(visitor!.past)
    const begun = performance.now()
    const past = numbered(model, history)
    predict(model, past, defaultWeights, new Set(past.map(({ item }) => item)), 90)
    times.push(performance.now() - begun)
  }
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  console.log(
    `a node holds ${(held / 1e6).toFixed(0)} MB; the recommender's part: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
  )
}

/** Publications that readers see. */
const someIds = async ({ origin, headers }: BenchService): Promise<string[]> => {
  const answer = await fetch(`${origin}/publications?published[eq]=true&limit=500`, { headers })
  const { items } = (await answer.json()) as { items: { id: string }[] }
  return items.map(({ id }) => id)
}

const questions = ({ persons }: Options, ids: string[]): Record<string, string[]> => {
  const many = (path: (n: number) => string) => Array.from({ length: 500 }, (_, n) => path(n))
  const person = (n: number) => `person_id=person-${1 + Math.floor((n * persons) / 500)}`
  return {
    'recommended_for_you, persons': many((n) => `/recommendations/recommended_for_you/predict?${person(n)}`),
    'recommended_for_you, one tag': many(
      (n) => `/recommendations/recommended_for_you/predict?${person(n)}&tags[in]=tag-${n % 20}`,
    ),
    'recommended_for_you, history': many(
      (n) =>
        `/recommendations/recommended_for_you/predict?history=${ids.slice(n % 480, (n % 480) + 10).join()}`,
    ),
    more_like_this: many(
      (n) => `/recommendations/more_like_this/predict?publication_id=${ids[n % ids.length]}`,
    ),
    dummy: many((n) => `/recommendations/dummy/predict?limit=${20 + (n % 5)}`),
  }
}

const measureHttp = async (
  { origin, headers }: BenchService,
  title: string,
  paths: string[],
  seconds: number,
): Promise<void> => {
  const load = (milliseconds: number): Promise<Measured> => {
    const workerData: Load = {
      origin,
      headers,
      paths,
      connections: 8,
      milliseconds,
      writes: { perSecond: 0, bodies: [] },
    }
    const worker = new Worker(new URL('../publications/load.ts', import.meta.url), { workerData })
    return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  }
  await load(2000)
  const { times, failures } = await load(seconds * 1000)
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  const rate = times.length / seconds
  console.log(
    `${title}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${rate.toFixed(0)}/s at 8 connections`,
  )
  for (const failure of new Set(failures)) console.log(`  ${failure}`)
}
