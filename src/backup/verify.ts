import { createHash, type Hash } from 'node:crypto'
import { readArchive } from './archive.ts'
import { fingerprintOf } from './fingerprint.ts'
import { type Manifest, parseManifest } from './manifest.ts'
import { Damaged } from './problems.ts'
import { fileLine, partName } from './write.ts'

const manifestLimit = 64 * 1024 * 1024

type Read = { rows: number; bytes: number; parts: number; hash: Hash }
type Seen = {
  tables: Map<string, Read>
  files: Omit<Read, 'rows'>
  secret: string | undefined
  manifest: string
}
type Content = AsyncIterable<Buffer>

/** Reads a backup to its end and holds everything in it against its manifest. Nothing is kept of it. */
export const verifyBackup = async (
  file: string,
  onBytes?: (count: number) => void,
): Promise<{ manifest: Manifest; secret: string | undefined }> => {
  const seen: Seen = {
    tables: new Map(),
    files: { bytes: 0, parts: 0, hash: createHash('sha256') },
    secret: undefined,
    manifest: '',
  }
  const look = async (name: string, content: Content, size: number) => {
    if (seen.manifest) throw new Damaged('goes on after its manifest')
    const [kind, table = '', rest] = name.split('/')
    if (kind === 'tables' && rest) await lookAtPart(seen, name, table, content)
    else if (kind === 'files' && table) await lookAtFile(seen, name.slice('files/'.length), size, content)
    else if (name === 'secret.key') seen.secret = await text(content, size, 4096)
    else if (name === 'manifest.json') seen.manifest = await text(content, size, manifestLimit)
    else throw new Damaged(`holds an entry that no backup has: ${JSON.stringify(name)}`)
  }
  await readArchive(file, look, onBytes)
  if (!seen.manifest) throw new Damaged('is not a backup of Marquee: it has no manifest')
  const manifest = parseManifest(seen.manifest)
  compare(manifest, seen)
  return { manifest, secret: seen.secret }
}

const lookAtPart = async (seen: Seen, name: string, table: string, content: Content): Promise<void> => {
  const read = seen.tables.get(table) ?? { rows: 0, bytes: 0, parts: 0, hash: createHash('sha256') }
  seen.tables.set(table, read)
  read.parts += 1
  if (name !== partName(table, read.parts)) throw new Damaged(`lacks a part of the table ${table}`)
  for await (const chunk of content) {
    read.hash.update(chunk)
    read.bytes += chunk.length
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) read.rows += 1
  }
}

const lookAtFile = async (seen: Seen, name: string, size: number, content: Content): Promise<void> => {
  const hash = createHash('sha256')
  for await (const chunk of content) hash.update(chunk)
  seen.files.hash.update(fileLine(name, size, hash.digest('hex')))
  seen.files.bytes += size
  seen.files.parts += 1
}

const text = async (content: Content, size: number, limit: number): Promise<string> => {
  if (size > limit) throw new Damaged('is not a backup of Marquee, or is damaged')
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const compare = (manifest: Manifest, { tables, files, secret }: Seen): void => {
  for (const { name, rows, bytes, sha256 } of manifest.tables) {
    const read = tables.get(name)
    const digest = (read?.hash ?? createHash('sha256')).digest('hex')
    if ((read?.rows ?? 0) !== rows || (read?.bytes ?? 0) !== bytes || digest !== sha256)
      throw new Damaged(`is damaged: the table ${name} is not as its manifest says`)
    tables.delete(name)
  }
  if (tables.size > 0) throw new Damaged(`is damaged: it holds tables that its manifest does not name`)
  const { count, bytes, sha256 } = manifest.files
  if (files.parts !== count || files.bytes !== bytes || files.hash.digest('hex') !== sha256)
    throw new Damaged('is damaged: the stored files are not as its manifest says')
  const known = secret === undefined ? manifest.secret.fingerprint : fingerprintOf(secret)
  if (manifest.secret.included !== (secret !== undefined) || known !== manifest.secret.fingerprint)
    throw new Damaged('is damaged: the secret key is not as its manifest says')
}
