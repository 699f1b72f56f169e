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

/** One wrong letter in five leaves a third of the trigrams; what the index finds too much `search.ts` drops. */
const wordSimilarity = '0.3'

export const connect = (
  url: string,
  options: { max?: number; name?: string; prepare?: boolean } = {},
): { db: Db; sql: Sql; close(): Promise<void> } => {
  const sql = postgres(url, {
    max: options.max ?? 20,
    idle_timeout: 300,
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
  #sql: Sql
  #reserved: postgres.ReservedSql | undefined
  #begun: Promise<unknown> | undefined
  #lost = false
  #closed: PromiseWithResolvers<never> | undefined
  #last: CompiledQuery[] = []

  constructor(sql: Sql) {
    this.#sql = sql
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
    if (this.#lost) throw lostConnection()
    return (this.#reserved ?? this.#sql).unsafe(sql, parameters as never[], { prepare: true }).execute()
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('use the cursor of the driver for streams')
  }

  /** `begin` is not awaited: it travels in front of the first statement, one round trip saved. */
  async begin(statement: string): Promise<void> {
    this.#reserved = await this.#sql.reserve()
    this.#closed = Promise.withResolvers()
    this.#closed.promise.catch(() => {})
    this.#begun = this.#reserved.unsafe(statement, [], { onexecute: this.#watch } as never).execute()
    this.#begun.catch(() => {})
  }

  /**
   * postgres.js (3.4.9) goes on using a reserved connection after it was closed: a rollback then crashes the
   * process, and a release puts the dead connection back into the pool. So a lost one is never touched again.
   * What waited behind another statement is forgotten without an answer, hence `#closed`.
   */
  #watch = (connection: { onclose?: (() => void) | null }): boolean => {
    connection.onclose = () => {
      this.#lost = true
      this.#closed?.reject(lostConnection())
    }
    return true
  }

  async end(statement: 'commit' | 'rollback'): Promise<void> {
    if (this.#lost && statement === 'rollback') return
    if (this.#lost) throw lostConnection()
    const last = statement === 'commit' ? this.#last.map((query) => this.#send(query)) : []
    const ended = this.#reserved!.unsafe(statement).execute()
    ended.catch(() => {})
    await Promise.all([this.#begun, ...last])
    const result = await Promise.race([ended, this.#closed!.promise])
    // A failed statement that was caught would turn the commit into a silent rollback.
    if (statement === 'commit' && result.command === 'ROLLBACK')
      throw new Error('the transaction was aborted')
  }

  release(): void {
    if (!this.#lost) this.#reserved?.release()
    this.#reserved = undefined
  }
}

const lostConnection = (): Error =>
  Object.assign(new Error('the connection to the database was lost'), { code: 'CONNECTION_CLOSED' })
