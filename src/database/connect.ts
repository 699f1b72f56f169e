import { Kysely, type Transaction } from 'kysely'
import pg from 'pg'
import { dialect } from './driver.ts'
import { openLanes } from './lanes.ts'
import type { Database } from './schema.ts'
import { clientOptions } from './session.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>

/**
 * Everybody behind a statement waits for it, so none may take for ever. With the usual 4 MB a count over a million
 * rows forgets which rows of a page it found, and reads the words of all of them again.
 */
const readLimits = {
  statement_timeout: '15s',
  work_mem: '16MB',
  // Many read at once; starting processes for one of them takes longer than most reads.
  max_parallel_workers_per_gather: '0',
}
const writeLimits = {
  statement_timeout: '60s',
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '60s',
}

/** Connections for a process: about a third for single statements, the rest for transactions. */
export const connect = (url: string, { max = 40, name }: { max?: number; name?: string } = {}) => {
  const options = clientOptions(url, name, writeLimits)
  const reads = Math.max(1, Math.round(max * 0.3))
  const lanes = openLanes(clientOptions(url, name, readLimits), reads)
  const pool = new pg.Pool({
    ...options,
    max: Math.max(1, max - reads),
    idleTimeoutMillis: 300_000,
    pipeline: true,
  } as pg.PoolConfig)
  // A connection that is lost is replaced when one is needed, and whoever used it hears of it. While the pool
  // ends it listens to none of its connections, and an error nobody listens to would end the process.
  const ignore = () => {}
  pool.on('error', ignore).on('connect', (client) => client.on('error', ignore))
  const close = async (): Promise<void> => {
    await Promise.all([lanes.close(), pool.end()])
  }
  const db = new Kysely<Database>({ dialect: dialect(lanes, pool, close) })
  return { db, close }
}
