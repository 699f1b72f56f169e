import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fingerprintOf } from '../backup/fingerprint.ts'
import type { Manifest } from '../backup/manifest.ts'
import { Damaged } from '../backup/problems.ts'
import { restoreDatabase, unknownMigrations } from '../backup/restore.ts'
import { finishRestore, restoreLock, stage } from '../backup/staging.ts'
import { verifyBackup } from '../backup/verify.ts'
import { type Config, readConfig } from '../config.ts'
import { type OpenDatabase, openDatabase } from '../database/open.ts'
import { type Session, withSession } from '../database/session.ts'
import { Explained } from '../explained.ts'
import { installJobs } from '../jobs/runner.ts'
import { createLog } from '../service.ts'
import { bold, dim, progressBar, say, step } from './terminal.ts'

type Options = { replace?: boolean }

export const restoreCommand = async (path: string, options: Options): Promise<void> => {
  const config = readConfig()
  const file = resolve(path)
  if (!existsSync(file)) throw new Explained(`${file} does not exist.`)
  try {
    const { manifest, secret } = await verify(file)
    requireUsable(config, manifest, secret)
    const database = await step('PostgreSQL', (note) => openDatabase(config, note))
    try {
      await restore(config, database, options, { file, manifest, secret })
    } finally {
      await database.close()
    }
  } catch (error) {
    if (error instanceof Damaged)
      throw new Explained(`The file ${file} ${error.message}. Nothing was changed.`)
    throw error
  }
}

const verify = async (file: string) => {
  const bar = progressBar('Checking the backup', (await stat(file)).size)
  const verified = await verifyBackup(file, bar.add)
  bar.end()
  return verified
}

const requireUsable = (config: Config, manifest: Manifest, secret: string | undefined): void => {
  const unknown = unknownMigrations(manifest)
  if (unknown.length > 0)
    throw new Explained(
      `The backup was made by Marquee ${manifest.marquee} with migrations that this version does not have ` +
        `(${unknown.join(', ')}). Use that version or a newer one. Nothing was changed.`,
    )
  const { fingerprint } = manifest.secret
  const own = config.secretKey && fingerprintOf(config.secretKey)
  if (own ? own === fingerprint : secret !== undefined) return
  throw new Explained(
    own && secret === undefined
      ? 'MARQUEE_SECRET_KEY is not the key that the backup was made with, so encrypted values could not be read. Set it to that key. Nothing was changed.'
      : own
        ? 'MARQUEE_SECRET_KEY is not the key in the backup, so encrypted values could not be read. Set it to that key (tar -xzOf <file> secret.key shows it). Nothing was changed.'
        : 'The backup was made with a MARQUEE_SECRET_KEY that is not in it. Set MARQUEE_SECRET_KEY to that key and try again. Nothing was changed.',
  )
}

type Verified = { file: string; manifest: Manifest; secret: string | undefined }

const restore = async (
  config: Config,
  database: OpenDatabase,
  { replace }: Options,
  { file, manifest, secret }: Verified,
): Promise<void> => {
  const work = async (sql: Session): Promise<void> => {
    await requireAlone(sql, database)
    await requireEmpty(sql, replace)
    await mkdir(config.data, { recursive: true })
    const withFiles = !config.s3 && (manifest.files.count > 0 || existsSync(join(config.data, 'files')))
    const bar = progressBar('Restoring', (await stat(file)).size)
    const { applied } = await locked(sql, async () => {
      const staged = await stage(config.data, file, config.secretKey ? undefined : secret, withFiles)
      return restoreDatabase(sql, file, manifest, staged, bar.add)
    })
    bar.end()
    await finishRestore(config.data, sql)
    await installJobs(database.directUrl, createLog('warn'))
    await sql`analyze`
    summary(manifest, applied)
  }
  await withSession(database.directUrl, work, 'marquee restore')
}

/** A service that goes on writing would lose what it writes, and caches would show what is gone. */
const requireAlone = async (sql: Session, { embedded }: OpenDatabase): Promise<void> => {
  const others = await sql<{ name: string }[]>`
    select application_name as name from pg_stat_activity
    where datname = current_database() and application_name like 'marquee%' and application_name <> 'marquee restore'`
  if ((embedded && !embedded.started) || others.length > 0)
    throw new Explained(
      'Marquee is running on this database. Stop it first, then restore. Nothing was changed.',
    )
}

const requireEmpty = async (sql: Session, replace: boolean | undefined): Promise<void> => {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public'`
  if (tables.length === 0) return
  if (!tables.some(({ name }) => name === 'migrations'))
    throw new Explained(
      'The database holds tables that are not of Marquee, and is left alone. Use an empty database.',
    )
  const [found] = await sql<{ there: boolean }[]>`select exists (select 1 from organisations) as there`.catch(
    () => [{ there: true }],
  )
  if (found!.there && !replace)
    throw new Explained(
      'The database is not empty. Add --replace to put the backup in the place of what is there.',
    )
}

/** Held for as long as the session has it, so that a command that opens the database meanwhile leaves the staged files alone. */
const locked = async <T>(sql: Session, work: () => Promise<T>): Promise<T> => {
  try {
    const [lock] = await sql<{ free: boolean }[]>`select pg_try_advisory_lock(${restoreLock}) as free`
    if (!lock!.free) throw new Explained('Another restore is under way on this database.')
    return await work()
  } finally {
    await sql`select pg_advisory_unlock_all()`.catch(() => {})
  }
}

const summary = ({ tables, files, created_on, marquee }: Manifest, applied: string[]): void => {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  say(`
  ${bold('Restored')} the backup of ${created_on}, made by Marquee ${marquee}
  ${rows.toLocaleString('en')} rows of ${tables.length} tables, ${files.count.toLocaleString('en')} stored files; every count, checksum and reference was checked`)
  if (applied.length > 0) say(`  Brought up to date by ${applied.join(', ')}`)
  say(dim('\n  Users, passwords and tokens are those of the backup. Start with: npm start\n'))
}
