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
