import { randomUUID } from 'node:crypto'
import { PassThrough, pipeline, Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import type { Config } from '../config.ts'
import { checkKey, type Storage } from './storage.ts'

/** Two parts are held at a time; 10,000 of them come to 80 GB. */
const partSize = 8_388_608

/** Files in a bucket of any store that speaks S3. */
export const s3Storage = (settings: NonNullable<Config['s3']>): Storage => {
  const { bucket: Bucket } = settings
  const at = (key: string) => ({ Bucket, Key: checkKey(key) })
  let opened: ReturnType<typeof open> | undefined
  const store = () => {
    opened ??= open(settings)
    return opened
  }

  const storage: Storage = {
    async put(key, bytes, { mimeType } = {}) {
      const { client, Upload } = await store()
      const sent = counted(bytes)
      const params = { ...at(key), Body: sent.body, ...(mimeType && { ContentType: mimeType }) }
      try {
        await new Upload({ client, queueSize: 2, partSize, params }).done()
      } catch (error) {
        throw sent.fault() ?? error
      }
      return { size: sent.size() }
    },
    read: (key, { start, end } = {}) =>
      lazily(async (abortSignal) => {
        const { client, s3 } = await store()
        const Range =
          start === undefined && end === undefined ? undefined : `bytes=${start ?? 0}-${end ?? ''}`
        const command = new s3.GetObjectCommand({ ...at(key), ...(Range && { Range }) })
        return (await client.send(command, { abortSignal })).Body as Readable
      }),
    async size(key) {
      const { client, s3 } = await store()
      const found = await client.send(new s3.HeadObjectCommand(at(key))).catch(unlessAbsent)
      return found?.ContentLength
    },
    async move(from, to) {
      const { client, s3 } = await store()
      const CopySource = `${Bucket}/${checkKey(from)}`
      await client.send(new s3.CopyObjectCommand({ ...at(to), CopySource }))
      await client.send(new s3.DeleteObjectCommand(at(from)))
    },
    async remove(key) {
      const { client, s3 } = await store()
      await client.send(new s3.DeleteObjectCommand(at(key)))
    },
    async *list(prefix) {
      const { client, s3 } = await store()
      const Prefix = `${checkKey(prefix.replace(/\/$/, ''))}/`
      for await (const { Contents = [] } of s3.paginateListObjectsV2({ client }, { Bucket, Prefix }))
        for (const { Key, Size } of Contents) yield { key: Key!, size: Size ?? 0 }
    },
    localPath: () => undefined,
    async presign(key, seconds) {
      const { client, s3, getSignedUrl } = await store()
      return getSignedUrl(client, new s3.GetObjectCommand(at(key)), { expiresIn: seconds })
    },
    async check() {
      const key = `temporary/${randomUUID()}`
      await storage.put(key, Buffer.from('Marquee'))
      if ((await storage.size(key)) !== 7) throw new Error('what was written is not there')
      await storage.remove(key)
    },
  }
  return storage
}

/** Loaded by the first who needs it: the client takes 30 MB and 0.3 s. */
const open = async ({ endpoint, region, accessKeyId, secretAccessKey }: NonNullable<Config['s3']>) => {
  const [s3, { Upload }, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/lib-storage'),
    import('@aws-sdk/s3-request-presigner'),
  ])
  const client: S3Client = new s3.S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Names of buckets as host names need certificates and DNS that most stores of one's own do not have.
    forcePathStyle: true,
    // Stores other than the first do not all know the newer checksums; our own are compared where it matters.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5000, socketTimeout: 60_000 },
  })
  return { client, s3, Upload, getSignedUrl }
}

/** Knows how much came, and why no more did: the upload alone would tell how it failed to clean up. */
const counted = (bytes: Readable | Buffer) => {
  if (Buffer.isBuffer(bytes)) return { body: bytes, size: () => bytes.length, fault: () => undefined }
  let size = 0
  let fault: unknown
  const chunks = async function* () {
    try {
      for await (const chunk of bytes) {
        size += chunk.length
        yield chunk
      }
    } catch (error) {
      fault = error
      throw error
    }
  }
  const body = Readable.from(chunks(), { objectMode: false })
  return { body, size: () => size, fault: () => fault }
}

/** A stream that begins when the store answers, and ends the request when nobody reads it any more. */
const lazily = (begin: (signal: AbortSignal) => Promise<Readable>): Readable => {
  const ending = new AbortController()
  const through = new PassThrough()
  through.once('close', () => ending.abort())
  begin(ending.signal).then(
    (body) => pipeline(body, through, () => {}),
    (error) => through.destroy(error),
  )
  return through
}

const unlessAbsent = (error: { $metadata?: { httpStatusCode?: number } }): undefined => {
  if (error.$metadata?.httpStatusCode !== 404) throw error
}
