import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, fetch } from 'undici'

/** One request and what became of it. */
export type Write = {
  kind: 'channel' | 'tag' | 'change'
  path: string
  key: string
  body: Record<string, unknown>
  /** What the record is found by. */
  name: string
  /** Undefined when no answer said that it was done. */
  id?: string
}

export type Target = { port: number; token: string }

/** A connection per client, as 16 machines would have. */
const agent = new Agent({
  allowH2: false,
  connect: { rejectUnauthorized: false },
  headersTimeout: 20_000,
  bodyTimeout: 20_000,
})

/** Whether the answer says that it was done; a refusal that a client of this load can never deserve is an error. */
export const send = async ({ port, token }: Target, write: Write): Promise<boolean> => {
  const method = write.kind === 'change' ? 'PUT' : 'POST'
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  }
  if (method === 'POST') headers['idempotency-key'] = write.key
  const url = `https://127.0.0.1:${port}${write.path}`
  const body = JSON.stringify(write.body)
  const response = await fetch(url, { method, headers, body, dispatcher: agent }).catch(() => undefined)
  const text = await response?.text().catch(() => undefined)
  if (!response || text === undefined) return false
  if (response.ok) {
    write.id = JSON.parse(text).id
    return true
  }
  if (response.status < 500) throw new Error(`${method} ${write.path} gave ${response.status}: ${text}`)
  return false
}

export type Load = { writes: Write[]; doneSince(moment: number): boolean; stop(): Promise<void> }

/** Clients that write as fast as they are answered, or `rate` times a second together, until they are stopped. */
export const startLoad = (target: Target, round: string, clients: number, rate = Infinity): Load => {
  const writes: Write[] = []
  let stopped = false
  let trouble: unknown
  let lastDone = 0
  const client = async (number: number): Promise<void> => {
    let last: Write | undefined
    const step = (clients * 1000) / rate
    let due = performance.now() + Math.random() * step
    for (let n = 0; !stopped; n += 1) {
      await sleep(Math.max(0, due - performance.now()))
      due = Math.max(due, performance.now()) + step
      const write = next(`${round}-${number}-${n}`, n, last)
      writes.push(write)
      if (await send(target, write)) {
        lastDone = performance.now()
        if (write.kind === 'channel') last = write
      } else await sleep(20)
    }
  }
  const all = Promise.all(Array.from({ length: clients }, (_, number) => client(number))).catch((error) => {
    stopped = true
    trouble = error
  })
  return {
    writes,
    doneSince: (moment) => lastDone > moment,
    async stop() {
      stopped = true
      await all
      if (trouble) throw trouble
    },
  }
}

/** Two channels, a tag, a change of the last channel, and again. */
const next = (name: string, n: number, last: Write | undefined): Write => {
  const base = { key: randomUUID(), name }
  if (n % 4 === 3 && last?.id)
    return { ...base, kind: 'change', path: `/channels/${last.id}`, body: { type: name }, name: last.name }
  if (n % 4 === 2) return { ...base, kind: 'tag', path: '/tags', body: { body: name } }
  return { ...base, kind: 'channel', path: '/channels', body: { name, type: 'radio' } }
}
