import type { Writable } from 'node:stream'
import {
  CompiledQuery,
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
import pg from 'pg'
import { type Lanes, openLanes, type Statement } from './lanes.ts'
import type { Database } from './schema.ts'
import { statementNames } from './statements.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>

/** One connection for statements as text: migrations, backups and the like. */
export type Session = {
  /** Values become parameters. */
  <Rows extends object[]>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Rows>
  /** Text as it is, also several statements. */
  run<Rows extends object[]>(text: string): Promise<Rows>
  client: pg.ClientBase
}

/** One wrong letter in five leaves a third of the trigrams; what the index finds too much `search.ts` drops. */
const wordSimilarity = '0.3'

/** Everybody behind a statement waits for it, so none may take for ever. */
const readLimits = { statement_timeout: '15s' }
const writeLimits = {
  statement_timeout: '60s',
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '60s',
}

type Settings = Record<string, string>

export const clientOptions = (url: string, name = 'marquee', settings: Settings = {}): pg.ClientConfig => ({
  connectionString: url,
  application_name: name,
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  options: Object.entries({
    TimeZone: 'UTC',
    'pg_trgm.word_similarity_threshold': wordSimilarity,
    ...settings,
  })
    .map(([key, value]) => `-c ${key}=${value}`)
    .join(' '),
})

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

/** Runs `work` on one connection of its own, which is closed afterwards. */
export const withSession = async <T>(
  url: string,
  work: (session: Session) => Promise<T>,
  name?: string,
): Promise<T> => {
  const client = new pg.Client(clientOptions(url, name))
  // What a lost connection was doing fails by itself; this event only says so once more.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(sessionOn(client))
  } finally {
    await client.end().catch(() => {})
  }
}

export const sessionOn = (client: pg.ClientBase): Session => {
  const query = async (strings: TemplateStringsArray, ...values: unknown[]) => {
    const text = strings.reduce((sum, part, index) => `${sum}$${index}${part}`)
    return (await client.query(text, values)).rows
  }
  const run = async (text: string) => (await client.query(text)).rows ?? []
  return Object.assign(query, { run, client }) as Session
}

/** One transaction of a session. */
export const inTransaction = async <T>(
  session: Session,
  begin: string,
  work: () => Promise<T>,
): Promise<T> => {
  await session.run(begin)
  try {
    const result = await work()
    await session.run('commit')
    return result
  } catch (error) {
    await session.run('rollback').catch(() => {})
    throw error
  }
}

const dialect = (lanes: Lanes, pool: pg.Pool, close: () => Promise<void>): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => driver(lanes, pool, close),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
})

/** A single statement goes to any lane; a transaction has a connection of its own. */
const driver = (lanes: Lanes, pool: pg.Pool, close: () => Promise<void>): Driver => ({
  init: async () => {},
  destroy: close,
  acquireConnection: async () => new Connection(lanes, pool),
  releaseConnection: async (connection) => (connection as Connection).release(),
  beginTransaction: async (connection, settings) =>
    (connection as Connection).begin(
      settings.isolationLevel ? `begin isolation level ${settings.isolationLevel}` : 'begin',
    ),
  commitTransaction: (connection) => (connection as Connection).commit(),
  rollbackTransaction: (connection) => (connection as Connection).rollback(),
})

const deferred = new WeakSet<CompiledQuery>()

/**
 * An insert whose result nobody waits for: it travels together with the commit, so that it costs no round trip
 * of its own. If it fails, the commit fails with its error. It must not depend on another of its kind.
 */
export const executeWithCommit = async (tx: Tx, query: Compilable): Promise<void> => {
  const compiled = query.compile(tx)
  deferred.add(compiled)
  await tx.executeQuery(compiled)
}

type Compilable = { compile(executor: Tx): CompiledQuery }

class Connection implements DatabaseConnection {
  #lanes: Lanes
  #pool: pg.Pool
  #begin: string | undefined
  #client: pg.PoolClient | undefined
  #begun: Promise<unknown> | undefined
  #last: CompiledQuery[] = []
  #broken: Error | undefined

  constructor(lanes: Lanes, pool: pg.Pool) {
    this.#lanes = lanes
    this.#pool = pool
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (deferred.has(query)) {
      this.#last.push(query)
      return { rows: [] }
    }
    if (this.#begin !== undefined && !this.#client) await this.#start(this.#begin)
    const { rows, rowCount } = await (this.#client ?? this.#lanes).query(prepared(query))
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('use a session for streams')
  }

  /** Nothing is sent before the first statement whose result is waited for. */
  begin(statement: string): void {
    this.#begin = statement
  }

  /** `begin` is not awaited: it travels together with the first statement, one round trip saved. */
  async #start(statement: string): Promise<void> {
    this.#client = await this.#pool.connect()
    this.#client.on('error', this.#lose)
    const stream = streamOf(this.#client)
    stream.cork()
    this.#begun = this.#client.query(statement)
    this.#begun.catch(this.#lose)
    setImmediate(() => stream.uncork())
  }

  #lose = (error: Error): void => {
    this.#broken ??= error
  }

  async commit(): Promise<void> {
    const client = this.#client
    if (!client) {
      if (this.#last.length > 0) await this.#lanes.query(prepared(merged(this.#last)))
      return
    }
    const stream = streamOf(client)
    stream.cork()
    const sent = [this.#begun, ...this.#last.map((query) => client.query(prepared(query)))]
    const ended = client.query('commit')
    ended.catch(this.#lose)
    stream.uncork()
    await Promise.all(sent)
    // A failed statement that was caught would turn the commit into a silent rollback.
    if ((await ended).command === 'ROLLBACK') throw new Error('the transaction was aborted')
  }

  async rollback(): Promise<void> {
    if (this.#client && !this.#broken) await this.#client.query('rollback').catch(this.#lose)
  }

  release(): void {
    this.#client?.off('error', this.#lose)
    this.#client?.release(this.#broken)
    this.#client = undefined
  }
}

/**
 * A transaction of inserts alone is one statement, which needs neither `begin` nor `commit` nor a connection
 * of its own: a write with its event cost 40% less time of both processes that way.
 */
const merged = (queries: CompiledQuery[]): CompiledQuery => {
  const parameters = queries.flatMap((query) => query.parameters)
  let before = 0
  const parts = queries.map((query, index) => {
    const text = query.sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + before}`)
    before += query.parameters.length
    return `q${index} as (${text} returning 1)`
  })
  return CompiledQuery.raw(`with ${parts.join(', ')} select 1`, parameters as unknown[])
}

/** What is written while it is corked leaves in one piece: a third of a write's time here went into system calls. */
const streamOf = (client: pg.ClientBase): Writable =>
  (client as unknown as { connection: { stream: Writable } }).connection.stream

const nameOf = statementNames()

const prepared = ({ sql: text, parameters }: CompiledQuery): Statement => {
  const name = nameOf(text)
  return { text, values: parameters as unknown[], ...(name && { name }) }
}
