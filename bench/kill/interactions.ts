import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import type { Target } from './load.ts'

/** Interactions that were posted together, and whether an answer said that they are stored. */
export type Post = { path: string; items: Item[]; isDone: boolean }
type Item = { id: string; label: string; person: { reference_id: string } }

const agent = new Agent({ allowH2: false, connect: { rejectUnauthorized: false }, headersTimeout: 20_000 })

export const call = (target: Target, path: string, body: object) =>
  fetch(`https://127.0.0.1:${target.port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${target.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    dispatcher: agent,
  })

/** A refusal that no client of this load can deserve is an error; no answer, or a later one, is none. */
export const post = async (target: Target, one: Post): Promise<boolean> => {
  const { path, items } = one
  const response = await call(target, path, items.length === 1 ? items[0]! : { items }).catch(() => undefined)
  const text = await response?.text().catch(() => undefined)
  if (!response || text === undefined) return false
  if (response.status === 202) one.isDone = true
  else if (response.status < 500) throw new Error(`${path} gave ${response.status}: ${text}`)
  return response.status === 202
}

const labels = ['View', 'View', 'Like', 'Share', 'Subscribe']

/** Clients that post one interaction, then a handful, some of them by persons that are new. */
export const startPosting = (target: Target, publications: string[], round: number, clients: number) => {
  const posts: Post[] = []
  let stopped = false
  let lastDone = 0
  let trouble: unknown
  const client = async (): Promise<void> => {
    for (let n = 0; !stopped; n += 1) {
      const path = `/publications/${publications[n % publications.length]}/interactions`
      const items = Array.from({ length: n % 3 === 0 ? 5 : 1 }, (_, index) => ({
        id: randomUUID(),
        label: labels[(n + index) % labels.length]!,
        person: { reference_id: `person-${round}-${Math.floor(Math.random() * 200)}` },
      }))
      const one: Post = { path, items, isDone: false }
      posts.push(one)
      if (await post(target, one)) lastDone = performance.now()
      else await sleep(20)
    }
  }
  const all = Promise.all(Array.from({ length: clients }, client)).catch((error) => {
    stopped = true
    trouble = error
  })
  return {
    posts,
    doneSince: (moment: number) => lastDone > moment,
    async stop(): Promise<void> {
      stopped = true
      await all
      if (trouble) throw trouble
    },
  }
}
