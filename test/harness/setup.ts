import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedServer, startEmbedded } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { withSession } from '../../src/database/session.ts'
import { installJobs } from '../../src/jobs/runner.ts'
import { createLog } from '../../src/service.ts'
import { testCertificate } from './certificate.ts'

/** One PostgreSQL server for the whole run, with a migrated template that every test file clones. */
let server: EmbeddedServer
const folder = mkdtempSync(join(tmpdir(), 'marquee-test-'))

export const globalSetup = async (): Promise<void> => {
  server = await startEmbedded({
    folder,
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '600' },
  })
  await withSession(server.url, migrate)
  await installJobs(server.url, createLog('silent'))
  process.env.TEST_DATABASE_URL = server.url
  process.env.TEST_DATABASE_LOG = server.logFile
  process.env.TEST_CERTIFICATE = JSON.stringify(await testCertificate())
}

export const globalTeardown = async (): Promise<void> => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
