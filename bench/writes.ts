import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { transaction } from '../src/database/transaction.ts'
import type { Actor } from '../src/features/access/authenticate.ts'
import { createChannel } from '../src/features/channels/commands.ts'
import { type BenchService, benchDatabase, benchService, percentile } from './service.ts'

/** Writes with their event against a bare insert of the same size, 32 clients each. `node bench/writes.ts [rounds]` */
const clients = 32
const rounds = Number(process.argv[2] ?? 9)
const goal = 0.5

const perSecond = async (work: () => Promise<unknown>, lasting: number): Promise<number> => {
  const from = performance.now()
  let done = 0
  const client = async () => {
    while (performance.now() < from + lasting) {
      await work()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return done / ((performance.now() - from) / 1000)
}

const actorOf = ({ environment }: BenchService): Actor =>
  ({
    organisation_id: environment.organisation_id,
    environment_id: environment.id,
    token_id: null,
    user_id: null,
    environment,
  }) as Actor

await using database = await benchDatabase()
await using service = await benchService(database.url, 'bench_writes')
const { db } = service.context
const actor = actorOf(service)
await sql`create table bare (like channels including defaults including indexes)`.execute(db)
const streams = JSON.stringify([{ name: 'Main', url: 'http://stream.example.org/main.mp3' }])

const bare = () => {
  const id = randomUUIDv7()
  return sql`insert into bare (environment_id, id, name, slug, streams)
    values (${service.environment.id}, ${id}, ${`Channel ${id}`}, ${id}, ${streams}::text::jsonb)`.execute(db)
}
const whole = () => {
  const id = randomUUIDv7()
  const body = { name: `Channel ${id}`, slug: id, streams: JSON.parse(streams) }
  return transaction(service.context, (tx) => createChannel(tx, actor, body))
}

/** In turns, so that whatever else the machine does hits both alike. */
await perSecond(bare, 1000)
await perSecond(whole, 1000)
const ratios: number[] = []
for (let round = 1; round <= rounds; round += 1) {
  const a = await perSecond(bare, 1000)
  const b = await perSecond(whole, 1000)
  ratios.push(b / a)
  console.log(
    `round ${round}: bare insert ${a.toFixed(0)}/s, write with event ${b.toFixed(0)}/s, ratio ${(b / a).toFixed(2)}`,
  )
}
const ratio = percentile(ratios, 0.5)
console.log(`median ratio ${ratio.toFixed(2)} (goal ${goal}) ${ratio >= goal ? 'holds' : 'FAILS'}`)
