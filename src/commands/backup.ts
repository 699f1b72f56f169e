import { existsSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fingerprintOf } from '../backup/fingerprint.ts'
import type { Manifest } from '../backup/manifest.ts'
import { verifyBackup } from '../backup/verify.ts'
import { writeBackup } from '../backup/write.ts'
import { type Config, readConfig } from '../config.ts'
import { openDatabase } from '../database/open.ts'
import { type Session, withSession } from '../database/session.ts'
import { Explained } from '../explained.ts'
import { bold, dim, progressBar, say, step, yellow } from './terminal.ts'

const marqueeVersion = (): string => createRequire(import.meta.url)('../../package.json').version as string

export const backupCommand = async (path: string, { overwrite }: { overwrite?: boolean }): Promise<void> => {
  const config = readConfig()
  const file = resolve(path)
  await requirePlace(file, overwrite)
  if (!config.databaseUrl && !existsSync(join(config.data, 'postgres')))
    throw new Explained(`There is no database in ${config.data} yet, so there is nothing to back up.`)
  const database = await step('PostgreSQL', (note) => openDatabase(config, note))
  const unfinished = `${file}.${process.pid}.unfinished`
  try {
    const { secretKey } = database
    // A key that is configured is kept by whoever configured it; one of the data folder would be lost with it.
    const secret = { key: config.secretKey ? undefined : secretKey, fingerprint: fingerprintOf(secretKey) }
    const manifest = await withSession(
      database.directUrl,
      async (session) => {
        await requireTables(session)
        return write(config, session, unfinished, secret)
      },
      'marquee backup',
    )
    await check(unfinished)
    await putInPlace(unfinished, file)
    summary(file, manifest, config, (await stat(file)).size)
  } finally {
    await database.close()
    await rm(unfinished, { force: true })
  }
}

const requirePlace = async (file: string, overwrite: boolean | undefined): Promise<void> => {
  if (existsSync(file) && !overwrite)
    throw new Explained(`${file} exists. Choose another name, or add --overwrite to replace it.`)
  if (!existsSync(dirname(file))) throw new Explained(`The folder ${dirname(file)} does not exist.`)
}

const requireTables = async (sql: Session): Promise<void> => {
  const [row] = await sql<{ there: boolean }[]>`select to_regclass('public.migrations') is not null as there`
  if (!row!.there)
    throw new Explained('The database has no tables of Marquee, so there is nothing to back up.')
}

const write = async (
  config: Config,
  sql: Session,
  file: string,
  secret: { key: string | undefined; fingerprint: string },
): Promise<Manifest> => {
  let bar = progressBar('Writing', 0)
  const progress = {
    total: (bytes: number) => {
      bar = progressBar('Writing', bytes)
    },
    add: (bytes: number) => bar.add(bytes),
  }
  const files = config.s3 ? undefined : join(config.data, 'files')
  const manifest = await writeBackup({ sql, files, secret, marquee: marqueeVersion() }, file, progress)
  bar.end()
  return manifest
}

/** A backup that was never read is a hope. */
const check = async (file: string): Promise<void> => {
  const bar = progressBar('Reading it back', (await stat(file)).size)
  await verifyBackup(file, bar.add)
  bar.end()
}

const putInPlace = async (unfinished: string, file: string): Promise<void> => {
  await rename(unfinished, file)
  const folder = await open(dirname(file), 'r')
  // Not every file system lets a folder be synced.
  await folder.sync().catch(() => {})
  await folder.close()
}

const summary = (file: string, { tables, files, secret }: Manifest, config: Config, size: number): void => {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  say(`
  ${bold(file)}
  ${rows.toLocaleString('en')} rows of ${tables.length} tables, ${files.count.toLocaleString('en')} stored files, ${megabytes(size)} MB
  ${yellow('!')} The file is as sensitive as the database: it holds personal data and hashes of passwords and tokens${
    secret.included ? ',\n    and the secret key that encrypted values are read with' : ''
  }.`)
  if (!secret.included)
    say(
      `  ${yellow('!')} MARQUEE_SECRET_KEY is not in it. Keep it as well: without it encrypted values cannot be read.`,
    )
  if (config.s3)
    say(`  ${yellow('!')} Stored files are in the bucket ${config.s3.bucket} and not in this backup.`)
  say(dim(`\n  Restore it with: npx marquee restore ${file}\n`))
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)
