import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, open, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { Explained } from '../../explained.ts'
import type { Account } from './account.ts'
import { type Binaries, major } from './binaries.ts'
import { giveTo, newPassword, type Place, readPassword, writePassword } from './place.ts'
import { run } from './run.ts'
import { settingArguments } from './settings.ts'

type Work = {
  place: Place
  account: Account
  binaries: Binaries
  progress: (line: string) => void
  sync: boolean
}

/** A cluster appears under its name only when it is complete, so whatever has another name can be thrown away. */
export const prepareCluster = async (work: Work): Promise<void> => {
  const { place, progress } = work
  for (const name of readdirSync(place.folder).filter((name) => name.startsWith('postgres.new'))) {
    progress('Repairing: a half-made database cluster is thrown away')
    await rm(join(place.folder, name), { recursive: true, force: true, maxRetries: 5 })
  }
  if (isMissing(place.cluster)) await makeCluster(work)
  else await checkCluster(work)
}

const isMissing = (cluster: string): boolean => !existsSync(cluster) || readdirSync(cluster).length === 0

const checkCluster = async ({ place, account, binaries, progress }: Work): Promise<void> => {
  const { cluster } = place
  const file = join(cluster, 'PG_VERSION')
  if (!existsSync(file) || !existsSync(join(cluster, 'global', 'pg_control')))
    throw new Explained(
      `${cluster} holds files but is not a complete database cluster (PG_VERSION or global/pg_control is missing). ` +
        'Nothing was changed. Restore it from a backup, or move it away to begin with an empty database.',
    )
  const version = readFileSync(file, 'utf8').trim()
  if (version !== major)
    throw new Explained(
      `The database in ${cluster} was made by PostgreSQL ${version}, and this Marquee brings PostgreSQL ${major}. ` +
        `Nothing was changed. Make a backup with the Marquee that brought PostgreSQL ${version} (marquee backup), move ` +
        'the folder away and restore the backup here (marquee restore); or set DATABASE_URL to a server that holds the data.',
    )
  await correctOwner(cluster, account, progress)
  if (await readPassword(place)) return
  progress('Repairing: the password of the database is lost, a new one is set')
  const password = newPassword()
  await single({ binaries, account }, cluster, [setPassword(password)])
  await writePassword(place, password)
}

/** A copy made by root, or without its modes, would be refused by PostgreSQL. */
const correctOwner = async (cluster: string, account: Account, progress: Work['progress']): Promise<void> => {
  const { uid, mode } = lstatSync(cluster)
  if (account.uid !== undefined && uid !== account.uid) {
    progress(`Repairing: the database cluster is given to the user ${account.name}`)
    for (const name of readdirSync(cluster, { recursive: true })) giveTo(join(cluster, `${name}`), account)
    giveTo(cluster, account)
  }
  if (process.platform !== 'win32' && mode & 0o027) await chmod(cluster, 0o700)
}

const makeCluster = async ({ place, account, binaries, progress, sync }: Work): Promise<void> => {
  requireUserEntry(account)
  progress('Creating the database cluster…')
  const password = newPassword()
  // Never the same name twice: an initdb that outlived its killed parent must not write into a new attempt.
  const unfinished = join(place.folder, `postgres.new-${randomBytes(4).toString('hex')}`)
  await mkdir(unfinished, { mode: 0o700 })
  giveTo(unfinished, account)
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  // trust only until pg_hba.conf is replaced below; no server listens before.
  const initdb = ['-U', 'marquee', ...locale, '--auth=trust', '--no-sync', '--no-instructions']
  try {
    await runInitdb(['-D', unfinished, ...initdb], (options) => run(account, binaries.initdb, options))
    await single({ binaries, account, settings: { fsync: 'off' } }, unfinished, [
      setPassword(password),
      // Errors name values in their details ("Key (email)=(…) already exists"); those stay out of the log.
      'ALTER ROLE marquee SET log_error_verbosity = terse',
      'CREATE DATABASE marquee',
    ])
    await writeFile(join(unfinished, 'pg_hba.conf'), access)
    if (sync) await run(account, binaries.initdb, ['--sync-only', '-D', unfinished])
    await writePassword(place, password)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
    throw error
  }
  if (existsSync(place.cluster)) await rmdir(place.cluster)
  await rename(unfinished, place.cluster)
  if (sync && process.platform !== 'win32') await syncFolder(place.folder)
}

/** Trigrams of letters that are not Latin need a character type beyond C, which not every system has. */
const runInitdb = async (
  options: string[],
  initdb: (options: string[]) => Promise<unknown>,
): Promise<void> => {
  try {
    await initdb([...options, '--lc-ctype=C.UTF-8'])
  } catch (error) {
    if (!/invalid locale/i.test((error as Error).message)) throw error
    await initdb(options)
  }
}

const access = `# Written by Marquee.
local all all scram-sha-256
host  all all 127.0.0.1/32 scram-sha-256
`

const setPassword = (password: string): string => `ALTER ROLE marquee PASSWORD '${password}'`

type Single = { binaries: Binaries; account: Account; settings?: Record<string, string> }

/** Statements on a cluster that nobody can connect to yet: 80 ms with a new database, no server to start and stop. */
const single = (
  { binaries, account, settings = {} }: Single,
  cluster: string,
  statements: string[],
): Promise<string> => {
  const all = { exit_on_error: 'on', log_min_error_statement: 'panic', ...settings }
  const args = ['--single', '-D', cluster, ...settingArguments(all), 'postgres']
  return run(account, binaries.postgres, args, `${statements.join('\n')}\n`)
}

const requireUserEntry = ({ uid }: Account): void => {
  if (uid !== undefined || process.platform === 'win32') return
  try {
    userInfo()
  } catch (cause) {
    throw new Explained(
      `The user with id ${process.getuid?.()} has no entry in /etc/passwd, and PostgreSQL does not create a database ` +
        'for a user without a name. Add an entry, run Marquee as another user, or set DATABASE_URL.',
      { cause },
    )
  }
}

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
