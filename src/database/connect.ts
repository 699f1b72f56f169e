import { type Dialect, Kysely, Transaction, type TransactionBuilder } from 'kysely'
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
  const ours = dialect(lanes, pool, close)
  const db = new Kysely<Database>({ dialect: ours })
  const begin = db.transaction.bind(db)
  return { db: Object.assign(db, { transaction: () => pipelined(begin(), ours) }), close }
}

type Begun = TransactionBuilder<Database>

/**
 * Kysely holds back each statement of a transaction until the one before is answered. Here those that are begun
 * together travel together: `Promise.all` over a transaction is one round trip, in the order in which they were begun.
 */
const pipelined = (builder: Begun, ours: Dialect): Begun =>
  Object.assign(Object.create(builder) as Begun, {
    setIsolationLevel: (level: Parameters<Begun['setIsolationLevel']>[0]) =>
      pipelined(builder.setIsolationLevel(level), ours),
    execute: <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      builder.execute((tx) =>
        tx.getExecutor().provideConnection((connection) => {
          const executor = tx.getExecutor().withConnectionProvider({
            provideConnection: (consumer) => consumer(connection),
          })
          return work(
            new Transaction({
              config: { dialect: ours },
              dialect: ours,
              driver: ours.createDriver(),
              executor,
            }),
          )
        }),
      ),
  })
