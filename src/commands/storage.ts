import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { Explained } from '../explained.ts'
import { localStorage } from '../storage/local.ts'
import { copyFiles, type Journal, type Moved, removeMoved } from '../storage/move.ts'
import { s3Storage } from '../storage/s3.ts'
import type { Storage } from '../storage/storage.ts'
import { bold, dim, progressBar, red, say, yellow } from './terminal.ts'

type Place = 'local' | 's3'
type Options = { from: Place; to: Place; remove?: boolean }

/** Copies all files from one storage to the other, verified; may be repeated and goes on where it was stopped. */
export const moveStorage = async ({ from, to, remove }: Options): Promise<void> => {
  if (from === to) throw new Explained('--from and --to name the same storage.')
  const config = readConfig()
  const [source, target] = [storageAt(config, from), storageAt(config, to)]
  await target.check().catch((error: Error) => {
    throw new Explained(`Files cannot be written to ${nameOf(config, to)}: ${error.message}`)
  })
  const journal = await openJournal(config, from, to)
  let bar = progressBar('Copying', 0)
  const moved = await copyFiles(source, target, journal, {
    total: (bytes) => {
      bar = progressBar('Copying and comparing', bytes)
    },
    add: (bytes) => bar.add(bytes),
  })
  bar.end()
  summary(moved, nameOf(config, to))
  if (moved.problems.length > 0) throw new Explained('Not every file could be moved. Nothing was removed.')
  if (remove)
    say(`  ${await removeMoved(source, target, journal)} files were removed from ${nameOf(config, from)}.\n`)
  else say(dim(`${nextSteps(to)}\n`))
}

const storageAt = (config: Config, place: Place): Storage => {
  if (place === 'local') return localStorage(join(config.data, 'files'))
  if (!config.s3) throw new Explained('The S3 settings are needed: S3_ENDPOINT, S3_BUCKET and its keys.')
  return s3Storage(config.s3)
}

const nameOf = (config: Config, place: Place): string =>
  place === 'local' ? join(config.data, 'files') : `the bucket ${config.s3!.bucket}`

/** One line for each file whose copy was read back, kept among the service's data. */
const openJournal = async (config: Config, from: Place, to: Place): Promise<Journal> => {
  const bucket = `${config.s3!.endpoint} ${config.s3!.bucket}`
  const path = join(config.data, `storage-move-${from}-${to}.jsonl`)
  await mkdir(config.data, { recursive: true })
  const text = await readFile(path, 'utf8').catch(() => '')
  const known = new Map<string, { size: number; sha256: string }>()
  for (const line of text.split('\n')) {
    const entry = parsed(line)
    if (entry?.bucket === bucket) known.set(entry.key, entry)
  }
  return {
    get: (key) => known.get(key),
    async add(key, entry) {
      known.set(key, entry)
      await appendFile(path, `${JSON.stringify({ bucket, key, ...entry })}\n`)
    },
  }
}

/** The last line may be cut off. */
const parsed = (line: string): { bucket: string; key: string; size: number; sha256: string } | undefined => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const summary = ({ files, bytes, copied, problems }: Moved, target: string): void => {
  say(`\n  ${bold(`${files.toLocaleString('en')} files`)}, ${(bytes / 1e6).toFixed(1)} MB, are in ${target};`)
  say(`  ${copied.toLocaleString('en')} of them were copied now. All were read back and compared by SHA-256.`)
  for (const problem of problems.slice(0, 20)) say(`  ${red('✗')} ${problem}`)
  if (problems.length > 20) say(`  ${yellow('!')} and ${problems.length - 20} more`)
}

const nextSteps = (to: Place): string => {
  const settings = to === 's3' ? 'with the S3 settings' : 'without the S3 settings'
  return `
  What was uploaded meanwhile is copied by running this again; that is quick. Then restart the service
  ${settings}, run it once more, and remove the files of the old place with --remove.`
}
