import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type Transaction,
} from 'kysely'
import postgres from 'postgres'
import { createPool, type Pool } from './pool.ts'
import { type Reservation, reserve } from './reserve.ts'
import type { Database } from './schema.ts'
import { preparedStatements } from './statements.ts'

const isCommon = preparedStatements()

export type Db = Kysely<Database>
export type Tx = Transaction<Database>
export type Sql = postgres.Sql

/** One wrong letter in five leaves a third of the trigrams; what the index finds too much `search.ts` drops. */
const wordSimilarity = '0.3'

export const connect = (
  url: string,
  options: { max?: number; name?: string; prepare?: boolean } = {},
): { db: Db; sql: Sql; close(): Promise<void> } => {
  const max = options.max ?? 40
  const open = (connections: number, extra: object) =>
    postgres(url, {
      max: Math.ceil(connections),
      connect_timeout: 10,
      // Seconds. The driver's own grows to 20, which is how long writes would wait after PostgreSQL is back.
      backoff: (attempt) => Math.min(0.02 * 2 ** attempt, 0.5),
      prepare: options.prepare ?? true,
      onnotice: () => {},
      connection: {
        application_name: options.name ?? 'marquee',
        TimeZone: 'UTC',
        'pg_trgm.word_similarity_threshold': wordSimilarity,
      },
      ...extra,
    })
  const reads = createPool((onclose) => open(max * 0.3, { onclose, max_lifetime: null }))
  const transactions = createPool((onclose) => open(max * 0.7, { onclose, max_lifetime: null }))
  const sql = open(options.max ?? 4, { idle_timeout: 300 })
  const close = async () => {
    await Promise.all([reads.close(), transactions.close(), sql.end({ timeout: 5 })])
  }
  const db = new Kysely<Database>({ dialect: dialect(reads, transactions, close) })
  return { db, sql, close }
}

const dialect = (...pools: Parameters<typeof driver>): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => driver(...pools),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
})

/**
 * Outside a transaction a query goes to whichever connection is free and is pipelined behind others, which
 * gave twice the selects per second of one reserved connection per query. A transaction reserves its own.
 */
const driver = (reads: Pool, transactions: Pool, close: () => Promise<void>): Driver => ({
  init: async () => {},
  destroy: close,
  acquireConnection: async () => new Connection(reads, transactions),
  releaseConnection: async () => {},
  beginTransaction: (connection, settings) =>
    (connection as Connection).begin(
      settings.isolationLevel ? `begin isolation level ${settings.isolationLevel}` : 'begin',
    ),
  commitTransaction: (connection) => (connection as Connection).end('commit'),
  rollbackTransaction: (connection) => (connection as Connection).end('rollback'),
})

const deferred = new WeakSet<CompiledQuery>()

/**
 * A statement of a transaction whose result nobody waits for: it travels together with the commit, so that it
 * costs no round trip of its own. If it fails, the commit fails with its error.
 */
export const executeWithCommit = async (tx: Tx, query: Compilable): Promise<void> => {
  const compiled = query.compile(tx)
  deferred.add(compiled)
  await tx.executeQuery(compiled)
}

type Compilable = { compile(executor: Tx): CompiledQuery }

class Connection implements DatabaseConnection {
  #reads: Pool
  #transactions: Pool
  #reserved: Reservation | undefined
  #last: CompiledQuery[] = []

  constructor(reads: Pool, transactions: Pool) {
    this.#reads = reads
    this.#transactions = transactions
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (deferred.has(query)) {
      this.#last.push(query)
      return { rows: [] }
    }
    const rows = await this.#send(query)
    return { rows: rows as unknown as R[], numAffectedRows: BigInt(rows.count ?? 0) }
  }

  #send({ sql, parameters }: CompiledQuery) {
    if (this.#reserved) return this.#reserved.send(sql, parameters)
    return this.#reads
      .current()
      .unsafe(sql, parameters as never[], { prepare: isCommon(sql) })
      .execute()
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('use the cursor of the driver for streams')
  }

  /** `begin` is not awaited: it travels in front of the first statement, one round trip saved. */
  async begin(statement: string): Promise<void> {
    this.#reserved = await reserve(this.#transactions, statement)
  }

  async end(statement: 'commit' | 'rollback'): Promise<void> {
    const { begun } = this.#reserved!
    const last = statement === 'commit' ? this.#last.map((query) => this.#send(query)) : []
    const ended = this.#reserved!.end(statement)
    ended?.catch(() => {})
    await Promise.all([begun, ...last])
    const result = await ended
    // A failed statement that was caught would turn the commit into a silent rollback.
    if (statement === 'commit' && result?.command === 'ROLLBACK')
      throw new Error('the transaction was aborted')
  }
}
