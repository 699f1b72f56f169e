import { randomUUID } from 'node:crypto'
import { policies } from '../src/features/access/rate-limit.ts'
import { type BenchService, benchDatabase, benchService, percentile } from './service.ts'

/**
 * Can known and unknown addresses be told apart by the time an answer takes? Both are asked in turns, each time in an
 * order of chance, so that whatever else goes on, such as sending letters, falls on both alike; the limits are off.
 * `node bench/sign-in.ts [rounds]`
 */
const rounds = Number(process.argv[2] ?? 200)
const warmUp = 20
const goal = 1
for (const policy of Object.values(policies)) policy.count = Number.MAX_SAFE_INTEGER

const redirect_url = 'https://www.example.org/signed-in'

const post = async ({ origin, headers }: BenchService, path: string, body: object, wanted: number) => {
  const from = performance.now()
  const answer = await fetch(origin + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (answer.status !== wanted) throw new Error(`${path}: ${answer.status} ${text}`)
  return performance.now() - from
}

/** Addresses of the same length; half of them are somebody's. */
const addressOf = (kind: string, number: number) => `${kind}-${String(number).padStart(6, '0')}@example.org`

const compare = async (title: string, known: Ask, unknown: Ask): Promise<void> => {
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let round = -warmUp; round < rounds; round += 1) {
    const order = Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const kind of order) {
      const ms = await (kind === 'known' ? known : unknown)(round + warmUp)
      if (round >= 0) times[kind].push(ms)
    }
  }
  const [a, b] = [percentile(times.known, 0.5), percentile(times.unknown, 0.5)]
  const apart = Math.abs(a - b)
  console.log(
    `${title.padEnd(52)} known ${a.toFixed(2)} ms  unknown ${b.toFixed(2)} ms  apart ${apart.toFixed(2)} ms  ${apart <= goal ? 'holds' : 'FAILS'}`,
  )
}
type Ask = (round: number) => Promise<number>

await using database = await benchDatabase()
await using service = await benchService(database.url, 'bench_sign_in', {
  MARQUEE_REDIRECT_URLS: redirect_url,
})
const password = 'the right password'
for (let number = 0; number < 20; number += 1)
  await post(service, '/persons', { emails: [addressOf('present', number)], password }, 201)
await post(service, '/persons', { emails: [addressOf('no-word', 0)] }, 201)
// Other persons, so that nobody is found by chance of being the only one.
for (let number = 0; number < 1000; number += 100)
  await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      post(service, '/persons', { emails: [addressOf('another', number + index)] }, 201),
    ),
  )

const signIn =
  (kind: string, some: number): Ask =>
  (round) =>
    post(service, '/sessions', { email: addressOf(kind, round % some), password: 'a wrong password' }, 401)
const ask =
  (kind: string): Ask =>
  (round) =>
    post(service, '/customers/request_sign_in', { email: addressOf(kind, round % 20), redirect_url }, 202)

console.log(
  `Known and unknown addresses, ${rounds} of each in turns, medians (goal: at most ${goal} ms apart)`,
)
// What the machine alone makes of two that are alike: less than this says nothing.
await compare('two unknown ones, for comparison', signIn('missing', 20), signIn(randomUUID().slice(0, 7), 20))
await compare('POST /sessions, wrong password', signIn('present', 20), signIn('missing', 20))
await compare('POST /sessions, person without a password', signIn('no-word', 1), signIn('missing', 20))
await compare('POST /customers/request_sign_in', ask('present'), ask('missing'))
