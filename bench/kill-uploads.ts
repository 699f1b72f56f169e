import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Agent, FormData, fetch } from 'undici'
import { localStorage } from '../src/storage/local.ts'
import { cleanUp, newFolder, type Service, settings, startService } from '../test/cli/service.ts'
import { token, type World } from './kill.ts'

/**
 * Uploads a video in chunks and kills the service with SIGKILL after each of them, while the next one comes, and while the
 * end is made. What was acknowledged is there after each start, the upload goes on from there, and the bytes
 * are those that were sent.
 *
 *   node bench/kill-uploads.ts --chunks 6 --megabytes 50
 */
type Options = { chunks: number; bytes: number; tell?: (line: string) => void }
type Asset = { id: string; start_offset: number; status: string; storage_file: { checksum: string } }

export const killUploads = async ({ chunks, bytes, tell = () => {} }: Options): Promise<string[]> => {
  const folder = newFolder()
  const data = join(folder, 'data')
  const world: World = { data, service: undefined, env: settings(data, { MARQUEE_BOOTSTRAP_TOKEN: token }) }
  try {
    world.service = await startService({ cwd: folder, env: world.env })
    const { id, sha256, faults } = await uploadWithKills(world, chunks, bytes, tell)
    await killWhile(world, call(world.service, 'POST', `/assets/${id}/multipart`, { upload_phase: 'finish' }))
    const done = await call(world.service, 'POST', `/assets/${id}/multipart?fields=storage_file`, {
      upload_phase: 'finish',
    })
    if (done.storage_file.checksum !== `sha256:${sha256}`) faults.push('other bytes than were sent')
    faults.push(...(await leftOver(data)))
    return faults
  } finally {
    await cleanUp(folder, data, world.service)
  }
}

const uploadWithKills = async (world: World, chunks: number, bytes: number, tell: (line: string) => void) => {
  const hash = createHash('sha256')
  const faults: string[] = []
  const file_size = chunks * bytes
  const { id } = await call(world.service!, 'POST', '/assets', {
    label: 'Video',
    upload_phase: 'start',
    file_size,
  })
  const path = `/assets/${id}/multipart`
  for (let number = 0; number < chunks; number += 1) {
    const chunk = randomBytes(bytes)
    if (number === 0) Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex').copy(chunk)
    hash.update(chunk)
    const at = number * bytes
    await killWhile(world, call(world.service!, 'POST', path, form(chunk, at)))
    const before = (await call(world.service!, 'GET', path)).start_offset
    if (before < at) faults.push(`chunk ${number} was acknowledged and lost`)
    if (before !== at && before !== at + bytes) faults.push(`chunk ${number + 1}: half of it is there`)
    // The sender does not know what became of it, and repeats it.
    const { start_offset } = await call(world.service!, 'POST', path, form(chunk, at))
    if (start_offset !== at + bytes) faults.push(`chunk ${number + 1}: ${start_offset} is expected next`)
    tell(
      `chunk ${number + 1}: killed while it came with ${before} bytes there, ${start_offset} after its repetition`,
    )
  }
  return { id, sha256: hash.digest('hex'), faults }
}

/** Kills the service a moment after something has begun, and starts it again. */
const killWhile = async (world: World, doing: Promise<unknown>): Promise<void> => {
  const over = doing.catch(() => {})
  await sleep(Math.random() * 80)
  world.service!.child.kill('SIGKILL')
  await Promise.all([over, world.service!.ended])
  world.service = await startService({ cwd: world.data, env: world.env })
}

const form = (chunk: Buffer, start_offset: number): FormData => {
  const made = new FormData()
  made.append('upload_phase', 'transfer')
  made.append('start_offset', String(start_offset))
  made.append('video_file_chunk', new Blob([new Uint8Array(chunk)]), 'video.mp4')
  return made
}

const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })

const call = async (
  { port }: Service,
  method: string,
  path: string,
  body?: FormData | object,
): Promise<Asset> => {
  const isForm = body instanceof FormData
  const response = await fetch(`https://127.0.0.1:${port}${path}`, {
    method,
    dispatcher,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    body: isForm ? body : body && JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`)
  return JSON.parse(text) as Asset
}

/** Files of killed requests stay until the next clean-up; of the upload nothing but the original does. */
const leftOver = async (data: string): Promise<string[]> => {
  const storage = localStorage(join(data, 'files'))
  const found: string[] = []
  for await (const { key } of storage.list('uploads/')) found.push(`${key} is left over`)
  let originals = 0
  for await (const _ of storage.list('originals/')) originals += 1
  return originals === 1 ? found : [...found, `${originals} originals`]
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { chunks: { type: 'string', default: '6' }, megabytes: { type: 'string', default: '50' } },
  })
  const bytes = Number(values.megabytes) * 1_000_000
  const faults = await killUploads({ chunks: Number(values.chunks), bytes, tell: console.log })
  console.log(faults.length === 0 ? 'the same bytes, nothing left over' : faults.join('\n'))
  process.exitCode = faults.length > 0 ? 1 : 0
}
