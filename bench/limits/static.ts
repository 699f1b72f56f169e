import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import fastify from 'fastify'

/** A file as Fastify's own plugin for them sends it: looked at, then read as a stream. */
const [path, type] = process.argv.slice(2) as [string, string]
const app = fastify()

app.get('/file', async (_request, reply) => {
  const { size, mtimeMs } = await stat(path)
  reply.headers({
    'content-type': type,
    'content-length': size,
    etag: `W/"${size}-${mtimeMs}"`,
    'accept-ranges': 'bytes',
    'cache-control': 'public, max-age=0',
  })
  return reply.send(createReadStream(path))
})

await app.listen({ port: 0, host: '127.0.0.1' })
process.send!({ port: (app.server.address() as { port: number }).port })
for (const end of ['message', 'disconnect']) process.on(end, () => process.exit(0))
