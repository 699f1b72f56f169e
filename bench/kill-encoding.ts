import { hash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Agent, FormData, fetch } from 'undici'
import { cleanUp, newFolder, type Service, settings, startService } from '../test/cli/service.ts'
import { video } from '../test/harness/media.ts'

/**
 * Kills the service with SIGKILL while it encodes a video, at another moment each round, and looks whether the next
 * start encodes it to the same bytes and leaves nothing over.
 *
 *   node bench/kill-encoding.ts [--rounds 3]
 */
const token = 'mq_token-of-the-encoding-proof-0123456789'
const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape
const call = async (service: Service, method: string, path: string, body?: FormData): Promise<any> => {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`https://127.0.0.1:${service.port}${path}`, {
    method,
    headers,
    body,
    dispatcher,
  })
  if (!answer.ok) throw new Error(`${method} ${path} gave ${answer.status}: ${await answer.text()}`)
  return answer.status === 204 ? undefined : answer.json()
}

const upload = async (service: Service, bytes: Buffer): Promise<string> => {
  const form = new FormData()
  form.append('label', 'Video')
  form.append('source', new Blob([new Uint8Array(bytes)]), 'video.mp4')
  return (await call(service, 'POST', '/assets', form)).id
}

const until = async <T>(look: () => T | Promise<T>, seconds = 120): Promise<NonNullable<T>> => {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(20)) {
    const found = await look()
    if (found) return found
  }
  throw new Error(`not so within ${seconds} s`)
}

const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
  } catch {
    return []
  }
}

const ready = (service: Service, id: string) =>
  until(async () => {
    const { status, failure } = await call(service, 'GET', `/assets/${id}`)
    if (status === 'failed') throw new Error(failure)
    return status === 'ready'
  })

const children = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
const isMedia = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('media/process')
  } catch {
    return false
  }
}

const main = async (rounds: number): Promise<void> => {
  const folder = newFolder()
  const data = join(folder, 'data')
  const env = settings(data, { MARQUEE_BOOTSTRAP_TOKEN: token })
  const made = join(data, 'files', 'derivatives')
  const sums = () => filesIn(made).map((path) => [path.split('/').at(-1), hash('sha256', readFileSync(path))])
  let service = await startService({ cwd: folder, env })
  try {
    const bytes = await video({ seconds: 12, width: 640, height: 360 })
    let id = await upload(service, bytes)
    const began = Date.now()
    await ready(service, id)
    const took = Date.now() - began
    const reference = sums()
    for (let round = 1; round <= rounds; round += 1) {
      await call(service, 'DELETE', `/assets/${id}`)
      rmSync(made, { recursive: true, force: true })
      id = await upload(service, bytes)
      await until(() => filesIn(join(data, 'processing')).length > 0)
      await sleep((took * round) / (rounds + 2))
      const encoding = children(service.pid).filter(isMedia)
      await service.stop('SIGKILL')
      await until(() => !encoding.some(isMedia), 5)
      const half = filesIn(join(data, 'processing')).length
      service = await startService({ cwd: folder, env })
      const restarted = Date.now()
      await ready(service, id)
      const isSame = JSON.stringify(sums()) === JSON.stringify(reference)
      const over = [...filesIn(join(data, 'processing')), ...filesIn(join(data, 'files', 'temporary'))]
      const seconds = ((Date.now() - restarted) / 1000).toFixed(1)
      console.log(
        `round ${round}: ${encoding.length} encoder and ${half} files at the kill; ready ${seconds} s after the start, ${isSame ? 'the same bytes' : 'OTHER BYTES'}, ${over.length} left over`,
      )
      if (!isSame || over.length > 0 || encoding.length === 0) process.exitCode = 1
    }
    await service.stop()
  } finally {
    await cleanUp(folder, data, service)
  }
}

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } })
await main(Number(values.rounds))
