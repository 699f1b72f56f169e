import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Agent, fetch } from 'undici'
import { cleanUp, newFolder, type Service, settings, startService } from '../../../../test/cli/service.ts'
import { eventually } from '../../../../test/harness/access.ts'
import { counts, csv, type Import } from '../../../../test/harness/imports.ts'

const token = 'mq_token-of-the-import-that-is-killed-0123456789'
const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })

const call = async (service: Service, path: string, init: { method?: string; body?: string } = {}) => {
  const response = await fetch(`https://127.0.0.1:${service.port}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...(init.body && csv) },
    dispatcher,
  })
  assert.ok(response.ok, `${path}: ${response.status}`)
  return (await response.json()) as Import & { total: number }
}

test('an import outlives a kill of the service: it goes on where it stopped and does no row twice', async () => {
  const folder = newFolder()
  const data = join(folder, 'data')
  const env = settings(data, { MARQUEE_BOOTSTRAP_TOKEN: token })
  let service: Service | undefined
  try {
    service = await startService({ cwd: folder, env })
    const rows = Array.from({ length: 3000 }, (_, n) => `r${n},Name ${n}`)
    const body = ['reference_id,last_name', ...rows].join('\n')
    const { total: before } = await call(service, '/persons')
    const { id } = await call(service, '/persons/import', { method: 'POST', body })
    const read = () => call(service!, `/persons/imports/${id}`)
    const killed = await eventually(async () => {
      const found = await read()
      return found.processed >= 500 && found
    }, 30_000)
    assert.equal(killed.status, 'running')
    await service.stop('SIGKILL')
    service = await startService({ cwd: folder, env })
    const done = await eventually(async () => {
      const found = await read()
      return found.status === 'done' && found
    }, 50_000)
    assert.deepEqual(counts(done), { status: 'done', counts: [3000, 3000, 3000, 0, 0] })
    assert.equal((await call(service, '/persons')).total, before + 3000)
  } finally {
    await cleanUp(folder, data, service)
  }
})
