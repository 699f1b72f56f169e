import { createHash } from 'node:crypto'
import { open, opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { to } from 'pg-copy-streams'
import { backupLock } from '../database/locks.ts'
import { inTransaction, type Session } from '../database/session.ts'
import { type Archive, createArchive } from './archive.ts'
import { columnList, quoted, readPartitions, readSequences, readTables, type Table } from './catalogue.ts'
import type { Manifest } from './manifest.ts'

type Source = {
  sql: Session
  /** Where stored files lie; undefined when they are in an object store. */
  files: string | undefined
  secret: { key: string | undefined; fingerprint: string }
  marquee: string
}

type Progress = { total(bytes: number): void; add(bytes: number): void }

/** Small enough to be held, large enough that the heads of the entries do not count. */
const partSize = 4 * 1024 * 1024

/** The whole database as of one moment, then the files that it may speak of, into a new file. */
export const writeBackup = async (source: Source, file: string, progress: Progress): Promise<Manifest> => {
  const archive = createArchive(file)
  try {
    const manifest = await fill(archive, source, progress)
    await archive.add('manifest.json', Buffer.from(JSON.stringify(manifest)))
    await archive.finish()
    return manifest
  } catch (error) {
    await archive.abandon()
    throw error
  }
}

const fill = async (archive: Archive, source: Source, progress: Progress): Promise<Manifest> => {
  const { sql, secret } = source
  // Held from before the snapshot on: bytes that it still speaks of are removed by nobody meanwhile.
  await sql.run(`select pg_advisory_lock_shared(${backupLock.join()})`)
  const data = await inTransaction(sql, 'begin isolation level repeatable read read only', () =>
    copyDatabase(sql, archive, source.files, progress),
  )
  // After the snapshot: a file that came later is one too many, one that is missing would be one too few.
  const files = await copyFiles(archive, source.files, progress)
  if (secret.key) await archive.add('secret.key', Buffer.from(secret.key))
  return {
    format: 'marquee-backup',
    version: 1,
    created_on: new Date().toISOString(),
    marquee: source.marquee,
    ...data,
    files,
    secret: { included: Boolean(secret.key), fingerprint: secret.fingerprint },
  }
}

/** Only ACCESS SHARE locks, which no read or write of the service waits for. */
const copyDatabase = async (tx: Session, archive: Archive, files: string | undefined, progress: Progress) => {
  await tx.run('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
  const found = await readTables(tx)
  await tx.run(`lock table ${found.map(({ name }) => quoted(name)).join(', ')} in access share mode`)
  progress.total(found.reduce((sum, { size }) => sum + size, 0) + (await folderSize(files)))
  const migrations = await tx<Manifest['migrations']>`select name, checksum from migrations order by name`
  const [version] = await tx<{ version: string }[]>`select current_setting('server_version') as version`
  const tables: Manifest['tables'] = []
  for (const table of found) tables.push(await copyTable(tx, archive, table, progress))
  return {
    postgres: version!.version,
    migrations: [...migrations],
    tables,
    partitions: await readPartitions(tx),
    sequences: await readSequences(tx),
  }
}

const copyTable = async (
  tx: Session,
  archive: Archive,
  { name, columns, size }: Table,
  progress: Progress,
): Promise<Manifest['tables'][number]> => {
  const rows = tx.client.query(to(`copy (select ${columnList(columns)} from ${quoted(name)}) to stdout`))
  const hash = createHash('sha256')
  const counted = { rows: 0, bytes: 0 }
  let parts = 0
  for await (const part of inParts(rows)) {
    hash.update(part)
    // A line feed inside a value is written as \n, so each one ends a row.
    for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, at + 1)) counted.rows += 1
    counted.bytes += part.length
    parts += 1
    await archive.add(partName(name, parts), part)
    progress.add(Math.min(part.length, size - Math.min(size, counted.bytes - part.length)))
  }
  progress.add(Math.max(0, size - counted.bytes))
  return { name, columns, ...counted, sha256: hash.digest('hex') }
}

export const partName = (table: string, part: number): string =>
  `tables/${table}/${String(part).padStart(6, '0')}`

/** The rows' bytes in pieces of one size; a piece may begin or end inside a row. */
async function* inParts(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let part = Buffer.allocUnsafe(partSize)
  let used = 0
  for await (let row of rows)
    while (row.length > 0) {
      const copied = row.copy(part, used)
      used += copied
      row = row.subarray(copied)
      if (used < partSize) continue
      yield part
      part = Buffer.allocUnsafe(partSize)
      used = 0
    }
  if (used > 0) yield part.subarray(0, used)
}

const copyFiles = async (
  archive: Archive,
  folder: string | undefined,
  progress: Progress,
): Promise<Manifest['files']> => {
  const lines = createHash('sha256')
  const counted = { count: 0, bytes: 0 }
  for await (const name of storedFiles(folder)) {
    // What is removed meanwhile was not needed; what is open can be read to its end.
    await using file = await open(join(folder!, name)).catch(() => undefined)
    if (!file) continue
    const { size } = await file.stat()
    const hash = createHash('sha256')
    const content = size === 0 ? none() : file.createReadStream({ end: size - 1, autoClose: false })
    await archive.addStream(`files/${name}`, size, hashing(content, hash, progress))
    lines.update(fileLine(name, size, hash.digest('hex')))
    counted.count += 1
    counted.bytes += size
  }
  return { ...counted, sha256: lines.digest('hex') }
}

export const fileLine = (name: string, size: number, digest: string): string => `${digest} ${size} ${name}\n`

async function* none(): AsyncGenerator<Buffer> {}

async function* hashing(
  chunks: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
  progress: Progress,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk)
    progress.add(chunk.length)
    yield chunk
  }
}

/** What is on its way to something else, or can be made again. */
const passing = new Set(['temporary', 'incoming', 'cache'])

/** Plain files only: a link could lead anywhere. */
async function* storedFiles(folder: string | undefined, inside = ''): AsyncGenerator<string> {
  const entries = folder ? await opendir(join(folder, inside)).catch(() => []) : []
  for await (const entry of entries) {
    const name = inside ? `${inside}/${entry.name}` : entry.name
    if (passing.has(name)) continue
    if (entry.isDirectory()) yield* storedFiles(folder, name)
    else if (entry.isFile()) yield name
  }
}

const folderSize = async (folder: string | undefined): Promise<number> => {
  let size = 0
  for await (const name of storedFiles(folder))
    size += await stat(join(folder!, name)).then(
      (found) => found.size,
      () => 0,
    )
  return size
}
