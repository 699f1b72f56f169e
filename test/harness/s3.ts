import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Running = { httpServer: Server; run(): Promise<{ port: number }> }
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => Running

/** A server that speaks S3, on a free port, with one bucket; settings as the service reads them. */
export const startS3 = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'marquee-s3-'))
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'media' }],
  })
  const { port } = await server.run()
  return {
    settings: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_REGION: 'us-east-1',
      S3_BUCKET: 'media',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    async close(): Promise<void> {
      server.httpServer.closeAllConnections()
      await new Promise((resolve) => server.httpServer.close(resolve))
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
