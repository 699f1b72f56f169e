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
import type { Database } from './schema.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>
export type Sql = postgres.Sql

/** Typing errors of short words need a lower bar than PostgreSQL's 0.6; `search.ts` checks again by word length. */
const wordSimilarity = '0.4'

export const connect = (
  url: string,
  options: { max?: number; name?: string; prepare?: boolean } = {},
): { db: Db; sql: Sql; close(): Promise<void> } => {
  const sql = postgres(url, {
    max: options.max ?? 20,
    idle_timeout: 300,
    connect_timeout: 10,
    prepare: options.prepare ?? true,
    onnotice: () => {},
    connection: {
      application_name: options.name ?? 'marquee',
      TimeZone: 'UTC',
      'pg_trgm.word_similarity_threshold': wordSimilarity,
    },
  })
  const db = new Kysely<Database>({ dialect: dialect(sql) })
  return { db, sql, close: () => sql.end({ timeout: 5 }) }
}

const dialect = (sql: Sql): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => driver(sql),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
})

/**
 * Outside a transaction a query goes to whichever connection is free and is pipelined behind others, which
 * gave twice the selects per second of one reserved connection per query. A transaction reserves its own.
 */
const driver = (sql: Sql): Driver => ({
  init: async () => {},
  destroy: () => sql.end({ timeout: 5 }),
  acquireConnection: async () => new Connection(sql),
  releaseConnection: async (connection) => (connection as Connection).release(),
  beginTransaction: (connection, settings) =>
    (connection as Connection).begin(
      settings.isolationLevel ? `begin isolation level ${settings.isolationLevel}` : 'begin',
    ),
  commitTransaction: (connection) => (connection as Connection).end('commit'),
  rollbackTransaction: (connection) => (connection as Connection).end('rollback'),
})

class Connection implements DatabaseConnection {
  #sql: Sql
  #reserved: postgres.ReservedSql | undefined
  #begun: Promise<unknown> | undefined

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const rows = await (this.#reserved ?? this.#sql).unsafe(sql, parameters as never[], { prepare: true })
    return { rows: rows as unknown as R[], numAffectedRows: BigInt(rows.count ?? 0) }
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('use the cursor of the driver for streams')
  }

  /** `begin` is not awaited: it travels in front of the first statement, one round trip saved. */
  async begin(statement: string): Promise<void> {
    this.#reserved = await this.#sql.reserve()
    this.#begun = this.#reserved.unsafe(statement).execute()
    this.#begun.catch(() => {})
  }

  async end(statement: 'commit' | 'rollback'): Promise<void> {
    const [result] = await Promise.all([this.#reserved!.unsafe(statement), this.#begun])
    // A failed statement that was caught would turn the commit into a silent rollback.
    if (statement === 'commit' && result.command === 'ROLLBACK')
      throw new Error('the transaction was aborted')
  }

  release(): void {
    this.#reserved?.release()
    this.#reserved = undefined
  }
}
