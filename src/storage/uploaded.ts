/** A file that came with a request. JSON can never produce one, so whoever holds one knows that we stored it. */
export class UploadedFile {
  /** Where it lies in the storage until somebody takes it. */
  readonly key: string
  readonly size: number
  readonly sha256: string
  readonly original_name: string | null
  /** Told by the bytes, never by the name; null where they are of no type that is known. */
  readonly mime_type: string | null
  taken = false

  constructor(file: Pick<UploadedFile, 'key' | 'size' | 'sha256' | 'original_name' | 'mime_type'>) {
    this.key = file.key
    this.size = file.size
    this.sha256 = file.sha256
    this.original_name = file.original_name
    this.mime_type = file.mime_type
  }

  /** Two requests with the same file are the same request. */
  toJSON(): object {
    return { sha256: this.sha256, original_name: this.original_name }
  }
}

/** A name for people: the last part of a path, without what moves cursors or turns text round. */
export const plainName = (name: string | undefined): string | null => {
  const last = (name ?? '').split(/[/\\]/).at(-1)!
  const plain = last
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .trim()
    .normalize('NFC')
  return plain === '' || /^\.+$/.test(plain) ? null : [...plain].slice(-255).join('')
}

/** Types whose details stand behind the first bytes, where they may not be found. */
const beginnings: [string, string][] = [
  ['89504e470d0a1a0a', 'image/png'],
  ['49492a00', 'image/tiff'],
  ['4d4d002a', 'image/tiff'],
  ['494433', 'audio/mpeg'],
]

/** Loaded with the first file. */
let fileType: Promise<typeof import('file-type')> | undefined

/** What the first bytes of a file say that it is. */
export const typeOf = async (head: Buffer): Promise<string | null> => {
  fileType ??= import('file-type')
  const { fileTypeFromBuffer } = await fileType
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  const begins = ([hex]: [string, string]) => head.subarray(0, hex.length / 2).toString('hex') === hex
  return found?.mime ?? beginnings.find(begins)?.[1] ?? null
}
