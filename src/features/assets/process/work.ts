import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../../../context.ts'
import { type Facts, type MadeFile, type Order, Refused } from '../../../media/orders.ts'
import { originalKey, removeUnused } from '../bytes.ts'
import type { AssetLabel, Derivative } from '../table.ts'
import { type Claimed, postpone, release, renew } from './claim.ts'
import { makeFailed, makeReady } from './finish.ts'

/** Besides files that are to blame there are machines that fail; so often it is tried before it is given up. */
const maxAttempts = 4
const renewEvery = 2000

const tasks: Record<AssetLabel, string> = {
  Photo: 'image',
  Cover: 'image',
  Audio: 'audio',
  Video: 'video',
  PDF: 'pdf',
}

/** A folder of this machine for all that is processed, with one inside for each asset. */
export const workFolder = ({ config }: Pick<Context, 'config'>): string => join(config.data, 'processing')
const folderName = ({ environment_id, id }: Claimed): string => `${environment_id}.${id}`

/** Processes one asset to its end: ready, failed with a reason, or left for another time. */
export const processAsset = async (context: Context, mine: Claimed, stopped: AbortSignal): Promise<void> => {
  const folder = join(workFolder(context), folderName(mine))
  const lost = new AbortController()
  const signal = AbortSignal.any([stopped, lost.signal])
  let progress = 0
  const renewing = setInterval(async () => {
    if (!(await renew(context, mine, progress).catch(() => true))) lost.abort()
  }, renewEvery)
  try {
    if (mine.attempts > maxAttempts)
      throw new Refused(`Processing was begun ${maxAttempts} times and never ended.`)
    // What an attempt that was killed has left.
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const input = await fetched(context, mine, folder)
    const order = { task: tasks[mine.label], input, output: folder }
    const facts = await perform(context, order, signal, (done) => {
      progress = done
    })
    const derivatives = await store(context, mine, folder, facts.files)
    if (!(await makeReady(context, mine, facts, derivatives))) await leave(context, mine)
  } catch (error) {
    if (signal.aborted) await leave(context, mine)
    else await explain(context, mine, error)
  } finally {
    clearInterval(renewing)
    await rm(folder, { recursive: true, force: true })
  }
}

const perform = (
  { media }: Context,
  order: Order,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<Facts> =>
  order.task === 'image' ? media.picture(order) : media.run(order, { onProgress, signal })

/** The encoder reads files of this machine. */
const fetched = async ({ storage }: Context, mine: Claimed, folder: string): Promise<string> => {
  const key = originalKey(mine)
  const path = storage.localPath(key)
  if (path) return path
  const copy = join(folder, 'original')
  await pipeline(storage.read(key), createWriteStream(copy))
  return copy
}

/** Names that an earlier version gave and this one does not are removed. */
const store = async (
  { storage }: Context,
  { environment_id, sha256 }: Claimed,
  folder: string,
  files: MadeFile[],
): Promise<Derivative[]> => {
  const prefix = `derivatives/${environment_id}/${sha256}/`
  const stored: Derivative[] = []
  for (const file of files) {
    const bytes = createReadStream(join(folder, file.name))
    const { size } = await storage.put(`${prefix}${file.name}`, bytes, { mimeType: file.mime_type })
    stored.push({ ...file, size })
  }
  const known = new Set(files.map(({ name }) => prefix + name))
  for await (const { key } of storage.list(prefix)) if (!known.has(key)) await storage.remove(key)
  return stored
}

/** Not ours any more, or the service stops: others find it as it was. */
const leave = async (context: Context, mine: Claimed): Promise<void> => {
  await release(context, mine)
  await removeUnused(context, mine)
}

const explain = async (context: Context, mine: Claimed, error: unknown): Promise<void> => {
  if (error instanceof Refused) await makeFailed(context, mine, error.message)
  else {
    context.log.error({ err: error, asset: mine.id, attempt: mine.attempts }, 'an asset was not processed')
    if (mine.attempts < maxAttempts) await postpone(context, mine)
    else await makeFailed(context, mine, `Processing failed ${maxAttempts} times; the log says why.`)
  }
}
