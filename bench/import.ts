import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { withSession } from '../src/database/session.ts'
import { benchDatabase } from './service.ts'

/**
 * Persons imported from CSV: rows a second while the file arrives, while it is looked through by a dry run, while
 * persons are made and while they are found and changed, and the memory of the server meanwhile.
 *
 *   node bench/import.ts [rows]
 */
const count = Number(process.argv[2] ?? 200_000)
/** Megabytes. V8 lets garbage lie while there is room: after a collection the heap is what it was before. */
const goal = { growth: 400 }

type Marquee = { origin: string; headers: Record<string, string>; databaseUrl: string }
type Import = {
  id: string
  status: string
  processed: number
  created: number
  updated: number
  failed: number
}

const header =
  'reference_id,first_name,last_name,emails,phones,gender,date_of_birth,address.street,address.city,custom'

function* lines(round: number): Generator<string> {
  yield `${header}\n`
  for (let from = 0; from < count; from += 100) {
    const rows = Array.from({ length: Math.min(100, count - from) }, (_, index) => {
      const n = from + index
      const day = `19${50 + (n % 50)}-0${1 + (n % 9)}-1${n % 10}`
      return `r${n},First${n % 997},"Last, ${n % 9973}",person${n}@example.org,+31 20 ${1_000_000 + n},female,${day},Street ${round},City ${n % 300},"a;b"\n`
    })
    yield rows.join('')
  }
}

await using database = await benchDatabase()
const child = fork(fileURLToPath(new URL('limits/marquee.ts', import.meta.url)), [
  database.url,
  'bench_import',
])
const [marquee] = (await once(child, 'message')) as [Marquee]

/** Megabytes of the server's process. */
const resident = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
let peak = 0
const watching = setInterval(() => {
  peak = Math.max(peak, resident())
}, 50)

const send = async (round: number, query: string): Promise<Import> => {
  const headers = { ...marquee.headers, 'content-type': 'text/csv' }
  const sending = request(`${marquee.origin}/persons/import${query}`, { method: 'POST', headers })
  const answered = once(sending, 'response')
  await pipeline(Readable.from(lines(round)), sending)
  const [response] = await answered
  let text = ''
  for await (const chunk of response) text += chunk
  if (response.statusCode !== 202) throw new Error(text)
  return JSON.parse(text)
}

const ended = async ({ id }: Import): Promise<Import> => {
  for (;;) {
    const response = await fetch(`${marquee.origin}/persons/imports/${id}`, { headers: marquee.headers })
    const found = (await response.json()) as Import
    if (!['pending', 'running'].includes(found.status)) return found
    await sleep(50)
  }
}

await sleep(1000)
const before = resident()
const show = (name: string, from: number, until: number) =>
  console.log(`${name.padEnd(10)} ${(count / ((until - from) / 1000)).toFixed(0).padStart(7)} rows/s`)

for (const [round, query, wanted] of [
  [1, '?dry_run=true', 'created'],
  [1, '', 'created'],
  [2, '', 'updated'],
] as const) {
  const from = performance.now()
  const accepted = await send(round, query)
  const received = performance.now()
  const done = await ended(accepted)
  show('received', from, received)
  show(query === '' ? wanted : 'dry run', received, performance.now())
  if (done.status !== 'done' || done[wanted] !== count) throw new Error(JSON.stringify(done))
}
clearInterval(watching)
const [left] = await withSession(
  marquee.databaseUrl,
  (session) => session<{ persons: string; rows: string }[]>`select
    (select count(*) from persons) as persons, (select count(*) from import_rows) as rows`,
)
console.log(`${left!.persons} persons, ${left!.rows} batches left`)
const growth = peak - before
console.log(
  `memory: ${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most, growth ${growth.toFixed(0)} MB (goal ${goal.growth}) ${growth <= goal.growth ? 'holds' : 'FAILS'}`,
)
child.send('stop')
await once(child, 'exit')
