import { Agent, get } from 'node:http'
import { parentPort } from 'node:worker_threads'

type Asked = { origin: string; headers: Record<string, string>; path: string; rounds: number }

/** One connection in a thread of its own, and nothing is parsed: what a reader does with an answer is its own time. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** What is refused, because the processor is busy with something else, is asked for again. */
const read = ({ origin, headers, path }: Asked): Promise<number> =>
  new Promise((resolve, reject) => {
    get(origin + path, { headers, agent }, (response) => {
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
      })
      response.on('end', () => {
        if (response.statusCode === 200) resolve(size)
        else if (response.statusCode === 503) resolve(read({ origin, headers, path, rounds: 1 }))
        else reject(new Error(`${path} ${response.statusCode}`))
      })
    }).on('error', reject)
  })

parentPort!.on('message', async (asked: Asked) => {
  const times: number[] = []
  let bytes = 0
  for (let round = 0; round < asked.rounds; round += 1) {
    const from = performance.now()
    bytes = await read(asked)
    times.push(performance.now() - from)
  }
  parentPort!.postMessage({ times, bytes })
})
