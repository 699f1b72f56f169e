import { migrations, pending } from '../database/migrate.ts'
import type { Session } from '../database/session.ts'
import { deriveKeys } from '../secrets.ts'
import { type Finding, findings, ok, problem, warning } from './finding.ts'

/** What can be asked of a PostgreSQL that answers. */
export const checkDatabase = async (sql: Session, secretKey: string | undefined): Promise<Finding[]> => {
  const checks: [string, () => Promise<Finding | Finding[]>][] = [
    ['PostgreSQL', () => checkServer(sql)],
    ['Clock', () => checkClock(sql)],
    ['Extensions', () => checkExtensions(sql)],
    ['Tables', () => checkTables(sql)],
  ]
  const found: Finding[] = []
  for (const [part, check] of checks) found.push(...(await findings(part, check)))
  const [tables] = await sql<{ there: boolean }[]>`select to_regclass('public.outbox') is not null as there`
  if (!tables!.there) return found
  if (secretKey) found.push(...(await findings('Secret key', () => checkKey(sql, secretKey))))
  found.push(...(await findings('Events', () => checkOutbox(sql))))
  found.push(...(await findings('Jobs', () => checkJobs(sql))))
  return found
}

const checkServer = async (sql: Session): Promise<Finding[]> => {
  const [row] = await sql<{ number: number; version: string; encoding: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      current_setting('server_encoding') as encoding`
  const { number, version, encoding } = row!
  const name = `Version ${version.split(' ')[0]} answers`
  const found =
    number >= 180_000
      ? ok('PostgreSQL', name)
      : number >= 150_000
        ? warning('PostgreSQL', `${name}; Marquee is tested with 18, so plan to upgrade`)
        : problem('PostgreSQL', `${name}, but Marquee needs 15 or newer, best 18`)
  const wrong = problem(
    'Encoding',
    `The database is ${encoding}; make one with encoding UTF8 and move the data there`,
  )
  return encoding === 'UTF8' ? [found] : [found, wrong]
}

const checkClock = async (sql: Session): Promise<Finding> => {
  await sql`select 1`
  const before = Date.now()
  const [row] = await sql<
    { now: number }[]
  >`select extract(epoch from clock_timestamp())::float8 * 1000 as now`
  const apart = Math.abs(row!.now - (before + Date.now()) / 2)
  const text = `This machine and PostgreSQL are ${(apart / 1000).toFixed(apart < 1000 ? 2 : 0)} s apart`
  return apart < 2000
    ? ok('Clock', text)
    : warning('Clock', `${text}; set both by NTP, or times will look wrong`)
}

const checkExtensions = async (sql: Session): Promise<Finding> => {
  const needed = ['pg_trgm', 'unaccent', 'fuzzystrmatch']
  const rows = await sql<{ name: string; installed: boolean }[]>`
    select name, installed_version is not null as installed from pg_available_extensions where name = any(${needed})`
  const missing = needed.filter((name) => !rows.some((row) => row.name === name))
  const waiting = rows.filter(({ installed }) => !installed).map(({ name }) => name)
  if (missing.length > 0)
    return problem(
      'Extensions',
      `The server lacks ${missing.join(' and ')}; install the contrib package of PostgreSQL`,
    )
  return waiting.length > 0
    ? warning('Extensions', `${waiting.join(' and ')} will be added by \`npx marquee migrate\``)
    : ok('Extensions', 'pg_trgm, unaccent and fuzzystrmatch are there')
}

const checkTables = async (sql: Session): Promise<Finding> => {
  let missing: { name: string }[]
  try {
    missing = await pending(sql)
  } catch (error) {
    return problem('Tables', (error as Error).message)
  }
  const known = new Set(migrations().map(({ name }) => name))
  const [there] = await sql<
    { there: boolean }[]
  >`select to_regclass('public.migrations') is not null as there`
  const applied = there!.there ? await sql<{ name: string }[]>`select name from migrations` : []
  const newer = applied.filter(({ name }) => !known.has(name)).map(({ name }) => name)
  if (newer.length > 0)
    return problem(
      'Tables',
      `The database was migrated by a newer Marquee (${newer.join(', ')}); update this one`,
    )
  return missing.length > 0
    ? warning(
        'Tables',
        `${missing.length} migrations are pending; run \`npx marquee migrate\` or start the service`,
      )
    : ok('Tables', `Up to date with ${applied.length} migrations`)
}

/** The key is the right one when it opens what was sealed with it. */
const checkKey = async (sql: Session, secretKey: string): Promise<Finding[]> => {
  const [row] = await sql<{ sealed: string }[]>`
    select totp_secret as sealed from users where totp_secret is not null limit 1`
  if (!row) return []
  try {
    deriveKeys(secretKey).decrypt(row.sealed)
    return []
  } catch {
    return [
      problem(
        'Secret key',
        'It is not the key that the values in the database were encrypted with; put the right one back',
      ),
    ]
  }
}

const checkOutbox = async (sql: Session): Promise<Finding> => {
  const [row] = await sql<{ rows: number; age: number | null }[]>`
    select count(*)::int as rows, extract(epoch from now() - min(created_on))::float8 as age
    from (select created_on from outbox order by id limit 100000) o`
  const { rows, age } = row!
  const text = `${rows.toLocaleString('en')} wait to be dispatched, the oldest for ${Math.round(age ?? 0)} s`
  return (age ?? 0) > 10
    ? warning('Events', `${text}; they go on when the service runs, so start it or look into its log`)
    : ok('Events', rows === 0 ? 'Nothing waits to be dispatched' : text)
}

const checkJobs = async (sql: Session): Promise<Finding> => {
  const [queue] = await sql<
    { there: boolean }[]
  >`select to_regclass('graphile_worker.jobs') is not null as there`
  if (!queue!.there) return warning('Jobs', 'The job queue is not installed; run `npx marquee migrate`')
  const [row] = await sql<{ failed: number; late: number; last: string | null }[]>`
    select count(*) filter (where attempts >= max_attempts)::int as failed,
      count(*) filter (where attempts < max_attempts and locked_at is null and run_at < now() - interval '5 minutes')::int as late,
      (array_agg(last_error order by updated_at desc) filter (where attempts >= max_attempts))[1] as last
    from graphile_worker.jobs`
  const { failed, late, last } = row!
  if (failed > 0)
    return warning(
      'Jobs',
      `${failed} failed for good, the last by: ${(last ?? '').split('\n')[0]!.slice(0, 120)}`,
    )
  return late > 0
    ? warning('Jobs', `${late} are more than 5 minutes late; they run when the service does`)
    : ok('Jobs', 'None has failed and none is late')
}
