import { parentPort, workerData } from 'node:worker_threads'
import { Agent, request } from 'undici'

/** In a thread of its own, so that measuring takes no turn of the service's. */
export type Load = {
  origin: string
  headers: Record<string, string>
  paths: string[]
  connections: number
  milliseconds: number
  writes: { perSecond: number; bodies: object[]; path?: string }
}
export type Measured = { times: number[]; failures: string[]; writeTimes: number[] }

const { origin, headers, paths, connections, milliseconds, writes } = workerData as Load
const dispatcher = new Agent({ connections, pipelining: 1 })
/** Writers have connections of their own: a reader must not wait for one of theirs. */
const writing = new Agent({ connections: 16, pipelining: 1 })
const measured: Measured = { times: [], failures: [], writeTimes: [] }
const end = performance.now() + milliseconds
let turn = 0

const send = async (path: string, options: object, times: number[]): Promise<void> => {
  const from = performance.now()
  const { statusCode, body } = await request(origin + path, { headers, dispatcher, ...options } as never)
  const text = await body.text()
  times.push(performance.now() - from)
  if (statusCode >= 300) measured.failures.push(`${statusCode} ${path} ${text.slice(0, 300)}`)
}

const read = async (): Promise<void> => {
  while (performance.now() < end) {
    turn += 1
    await send(paths[turn % paths.length]!, {}, measured.times)
  }
}

const write = async (): Promise<void> => {
  if (writes.perSecond === 0) return
  const sent: Promise<void>[] = []
  for (let n = 0; performance.now() < end; n += 1) {
    const body = JSON.stringify(writes.bodies[n % writes.bodies.length])
    const json = { ...headers, 'content-type': 'application/json' }
    sent.push(
      send(
        writes.path ?? '/publications',
        { method: 'POST', body, headers: json, dispatcher: writing },
        measured.writeTimes,
      ),
    )
    await new Promise((resolve) => setTimeout(resolve, 1000 / writes.perSecond))
  }
  await Promise.all(sent)
}

await Promise.all([...Array.from({ length: connections }, read), write()])
parentPort!.postMessage(measured)
await Promise.all([dispatcher.close(), writing.close()])
