import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Order, Outcome } from './process.ts'

/** Of what JavaScript keeps; the numbers lie beside it and are bounded by what is read. */
const heap = 512
const patience = 15 * 60_000
/** The same file once types are stripped. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const program = fileURLToPath(new URL(`./process.${extension}`, import.meta.url))

const running = new Set<ChildProcess>()

/** Learns in a process of its own, whose memory goes with it; whatever becomes of it, requests go on. */
export const learnApart = (order: Order): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const child = fork(program, { execArgv: [`--max-old-space-size=${heap}`], timeout: patience, env: {} })
    running.add(child)
    let outcome: Outcome | undefined
    child.on('message', (sent) => {
      outcome = sent as Outcome
    })
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      running.delete(child)
      if (outcome && outcome.error === undefined) resolve(outcome)
      else reject(new Error(outcome?.error ?? `learning ended with ${signal ?? code}`))
    })
    child.send(order)
  })

/** What was being learned is learned again after the next start. */
export const stopLearning = (): void => {
  for (const child of running) child.kill()
}
