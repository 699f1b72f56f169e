import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { extract, pack } from 'tar-stream'

/** Rebuilds the archive with one entry changed; the checksums of tar and gzip are right again. */
export const rebuilt = async (
  file: string,
  change: (name: string, bytes: Buffer) => { name: string; bytes: Buffer; type?: string } | undefined,
) => {
  const out = pack()
  const chunks: Buffer[] = []
  out.on('data', (chunk) => void chunks.push(chunk as Buffer))
  const finished = new Promise<void>((resolve) => out.on('end', () => resolve()))
  const entries = extract()
  entries.end(gunzipSync(readFileSync(file)))
  for await (const entry of entries) {
    const parts: Buffer[] = []
    for await (const part of entry) parts.push(part as Buffer)
    const made = change(entry.header.name, Buffer.concat(parts))
    if (made?.type) out.entry({ name: made.name, type: 'symlink', linkname: '/etc/passwd' })
    else if (made) out.entry({ name: made.name }, made.bytes)
  }
  out.finalize()
  await finished
  return gzipSync(Buffer.concat(chunks))
}

export const swap = (from: string, to: string) => (name: string, bytes: Buffer) =>
  name.startsWith('tables/channels/')
    ? { name, bytes: Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1') }
    : { name, bytes }

const flipped = (file: string): Buffer => {
  const bytes = readFileSync(file)
  const at = Math.floor(bytes.length / 2)
  bytes[at]! ^= 0xff
  return bytes
}

/** What can be wrong with a file, and how it is called. */
export const spoiled: Record<string, [RegExp, (file: string) => Buffer | Promise<Buffer>]> = {
  'is no archive at all': [/is not a backup of Marquee, or is damaged/, () => Buffer.from('hello')],
  'is empty': [/is cut off|is not a backup/, () => Buffer.alloc(0)],
  'is an archive of something else': [
    /no manifest|no backup has/,
    (file) => rebuilt(file, (name, bytes) => (name === 'manifest.json' ? undefined : { name, bytes })),
  ],
  'is cut in the middle': [
    /is cut off/,
    (file) => readFileSync(file).subarray(0, readFileSync(file).length / 2),
  ],
  'lacks its last bytes': [/is cut off/, (file) => readFileSync(file).subarray(0, -8)],
  'has a flipped bit': [/is not a backup|is damaged|is cut off/, (file) => flipped(file)],
  'has a changed value': [
    /the table channels is not as its manifest says/,
    (file) => rebuilt(file, swap('Website', 'Wobsite')),
  ],
  'lacks a table': [
    /the table tags is not as its manifest says/,
    (file) => rebuilt(file, (name, bytes) => (name.startsWith('tables/tags/') ? undefined : { name, bytes })),
  ],
  'leads out of its folder': [
    /no backup has/,
    (file) =>
      rebuilt(file, (name, bytes) => ({
        name: name === 'files/empty' ? 'files/../../escaped' : name,
        bytes,
      })),
  ],
  'holds a link': [
    /no backup has/,
    (file) =>
      rebuilt(file, (name, bytes) => ({ name, bytes, ...(name === 'files/empty' && { type: 'symlink' }) })),
  ],
  'has foreign SQL in its manifest': [
    /manifest that is not valid/,
    (file) =>
      rebuilt(file, (name, bytes) => ({
        name,
        bytes:
          name === 'manifest.json'
            ? Buffer.from(
                bytes.toString().replace(/"bounds":"FOR[^"]*"/, '"bounds":"DEFAULT; drop table users"'),
              )
            : bytes,
      })),
  ],
}
