import fastify from 'fastify'
import pg from 'pg'

/** What Fastify can do on this machine: an answer of as many bytes, without and with one select. */
const [url, id, text, listed = '{}'] = process.argv.slice(2) as [string, string, string, string?]
const pool = new pg.Pool({ connectionString: url, max: 12 })
const body = JSON.parse(text) as object
const list = JSON.parse(listed) as object
const app = fastify()

app.get('/bare', async () => body)
app.get('/list', async () => list)
app.post('/bare', async (_request, reply) => reply.code(201).send(body))
app.get('/select', async () => {
  const { rows } = await pool.query({
    name: 'one',
    text: 'select * from publications where environment_id = $1 and id = $2',
    values: id.split(' '),
  })
  return { ...body, version: rows[0].version }
})

await app.listen({ port: 0, host: '127.0.0.1' })
process.send!({ port: (app.server.address() as { port: number }).port })
for (const end of ['message', 'disconnect']) process.on(end, () => process.exit(0))
