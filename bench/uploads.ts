import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { cleanUp, newFolder, type Service, settings, startService } from '../test/cli/service.ts'
import { token } from './kill.ts'

/**
 * Memory of the service while files arrive, beside what it has when idle; then what happens to a file that is too large.
 *
 *   node bench/uploads.ts --uploads 8 --megabytes 500
 */
const { values } = parseArgs({
  options: { uploads: { type: 'string', default: '8' }, megabytes: { type: 'string', default: '500' } },
})
const count = Number(values.uploads)
const size = Number(values.megabytes) * 1_000_000
const mp4 = Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex')
const block = randomBytes(1_000_000)
const boundary = 'marquee-bench'

/** No two are alike, or the second would be the first. */
function* bytesOf(length: number): Generator<Buffer> {
  yield Buffer.concat([mp4, randomBytes(1000)])
  for (let left = length - mp4.length - 1000; left > 0; left -= block.length)
    yield left < block.length ? block.subarray(0, left) : block
}

function* form(length: number): Generator<Buffer> {
  const part = (name: string, more = '') =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`)
  yield part('label')
  yield Buffer.from('Video\r\n')
  yield part('source', '; filename="video.mp4"')
  yield* bytesOf(length)
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

const upload = async ({ port }: Service, length: number): Promise<number> => {
  const sending = request({
    port,
    host: '127.0.0.1',
    path: '/assets',
    method: 'POST',
    rejectUnauthorized: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  })
  const answered = new Promise<number>((resolve, reject) => {
    sending.on('response', (response) => resolve(response.resume().statusCode!)).on('error', reject)
  })
  await Promise.race([pipeline(Readable.from(form(length)), sending).catch(() => {}), answered])
  return answered
}

/** Resident memory of a process, in megabytes. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1000

const watch = (pid: number) => {
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOf(pid))
  }, 100)
  return () => {
    clearInterval(timer)
    return peak
  }
}

const folder = newFolder()
const data = join(folder, 'data')
let service: Service | undefined
try {
  service = await startService({ cwd: folder, env: settings(data, { MARQUEE_BOOTSTRAP_TOKEN: token }) })
  await upload(service, 10_000)
  await sleep(3000)
  const idle = memoryOf(service.pid)
  const from = performance.now()
  const peakOf = watch(service.pid)
  const answers = await Promise.all(Array.from({ length: count }, () => upload(service!, size)))
  const peak = peakOf()
  const seconds = (performance.now() - from) / 1000
  const megabytes = (count * size) / 1e6
  console.log(
    `${count} uploads of ${size / 1e6} MB at once: answered ${answers.join(', ')} after ${seconds.toFixed(1)} s`,
  )
  console.log(`${(megabytes / seconds).toFixed(0)} MB a second`)
  console.log(
    `memory: ${idle.toFixed(0)} MB idle, ${peak.toFixed(0)} MB at most, ${(peak - idle).toFixed(0)} MB more`,
  )
  console.log(`1,001 MB: ${await upload(service, 1_001_000_000)}`)
  process.exitCode = peak - idle > 300 ? 1 : 0
} finally {
  await cleanUp(folder, data, service)
}
