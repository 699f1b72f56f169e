import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { Db, Tx } from './connect.ts'
import { type Lanes, type Statement, sendTogether } from './lanes.ts'
import { statementNames } from './statements.ts'

/** What Kysely talks to. */
export const dialect = (lanes: Lanes, pool: pg.Pool, close: () => Promise<void>): Dialect => ({
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
 * A statement whose result nobody waits for: it travels together with the commit, so that it costs no round trip of
 * its own, or before the next statement whose result is waited for. If it fails, the commit fails with its error.
 * Where nothing is waited for at all, all of them become one statement: then they must be inserts of which none
 * depends on another.
 */
export const executeWithCommit = async (tx: Tx, text: string, parameters: unknown[]): Promise<void> => {
  const query = CompiledQuery.raw(text, parameters)
  deferred.add(query)
  await tx.executeQuery(query)
}

const asking = new WeakMap<CompiledQuery, (id: string) => void>()

/** Tells the id of a transaction that writes, asked together with its commit. */
export const askForId = async (tx: Tx, tell: (id: string) => void): Promise<void> => {
  const query = CompiledQuery.raw(selectId)
  asking.set(query, tell)
  await tx.executeQuery(query)
}
const selectId = 'select pg_current_xact_id() as id'

type Settings = Record<string, string>
const settled = new WeakMap<CompiledQuery, Settings>()

/**
 * One statement on a connection of its own, behind which nobody waits. Settings need a transaction, which travels along:
 * either way it is one round trip.
 */
export const executeApart = <R>(
  db: Db,
  query: CompiledQuery<R>,
  settings: Settings = {},
): Promise<QueryResult<R>> => {
  settled.set(query, settings)
  return db.executeQuery(query)
}

const setAll = 'select set_config(key, value, true) from jsonb_each_text($1)'

const sendUnder = async (
  client: pg.PoolClient,
  statement: Statement,
  settings: Settings,
): Promise<pg.QueryResult> => {
  if (Object.keys(settings).length === 0) return client.query(statement)
  const sent = [
    client.query('begin'),
    client.query(prepared(CompiledQuery.raw(setAll, [JSON.stringify(settings)]))),
    client.query(statement),
    client.query('commit'),
  ] as const
  // A connection is given back when all of its answers are there.
  await Promise.allSettled(sent)
  await Promise.all(sent)
  return sent[2]
}

class Connection implements DatabaseConnection {
  #lanes: Lanes
  #pool: pg.Pool
  #begin: string | undefined
  #client: pg.PoolClient | undefined
  /** Shared by statements that are sent together as the first. */
  #starting: Promise<void> | undefined
  #begun: Promise<unknown> | undefined
  #last: CompiledQuery[] = []
  #sent: Promise<unknown>[] = []
  #failed: Error | undefined
  #broken: Error | undefined
  #asked: CompiledQuery | undefined

  constructor(lanes: Lanes, pool: pg.Pool) {
    this.#lanes = lanes
    this.#pool = pool
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (deferred.has(query)) {
      this.#last.push(query)
      return { rows: [] }
    }
    if (asking.has(query)) {
      this.#asked = query
      return { rows: [] }
    }
    const settings = settled.get(query)
    if (settings) return this.#sendApart<R>(query, settings)
    if (this.#begin !== undefined && !this.#client) {
      this.#starting ??= this.#start(this.#begin)
      await this.#starting
    }
    const { rows, rowCount } = await this.#send(query).catch((error) => {
      throw this.#failed ?? error
    })
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  #send(query: CompiledQuery): Promise<pg.QueryResult> {
    const client = this.#client
    if (!client) return this.#lanes.query(prepared(query))
    sendTogether(client)
    this.#sendLast(client)
    return client.query(prepared(query))
  }

  async #sendApart<R>(query: CompiledQuery, settings: Settings): Promise<QueryResult<R>> {
    const client = await this.#pool.connect()
    client.on('error', this.#lose)
    try {
      sendTogether(client)
      const { rows, rowCount } = await sendUnder(client, prepared(query), settings)
      return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
    } finally {
      client.off('error', this.#lose)
      client.release(this.#broken)
    }
  }

  /** What is asked behind an insert sees it; nobody waits for it before the commit. */
  #sendLast(client: pg.PoolClient): void {
    for (const query of this.#last.splice(0)) {
      const sent = client.query(prepared(query))
      sent.catch((error) => {
        this.#failed ??= error
      })
      this.#sent.push(sent)
    }
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
    sendTogether(this.#client)
    this.#begun = this.#client.query(statement)
    this.#begun.catch(this.#lose)
  }

  #lose = (error: Error): void => {
    this.#broken ??= error
  }

  async commit(): Promise<void> {
    const client = this.#client
    if (!client) {
      if (this.#last.length > 0) this.#tellId(await this.#lanes.query(prepared(merged(this.#last))))
      return
    }
    sendTogether(client)
    this.#sendLast(client)
    if (this.#asked) this.#sent.push(client.query(prepared(this.#asked)).then(this.#tellId))
    const ended = client.query('commit')
    ended.catch(this.#lose)
    await Promise.all([this.#begun, ...this.#sent])
    // A failed statement that was caught would turn the commit into a silent rollback.
    if ((await ended).command === 'ROLLBACK') throw new Error('the transaction was aborted')
  }

  #tellId = ({ rows }: pg.QueryResult<{ id: string }>): void => {
    if (this.#asked) asking.get(this.#asked)?.(rows[0]!.id)
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
const merged = (queries: CompiledQuery[]): CompiledQuery =>
  CompiledQuery.raw(
    mergedText(queries),
    queries.flatMap((query) => query.parameters),
  )

const mergedTexts = new LRUCache<string, string>({ max: 500 })

const mergedText = (queries: CompiledQuery[]): string => {
  const key = queries.map((query) => query.sql).join()
  const known = mergedTexts.get(key)
  if (known) return known
  let before = 0
  const parts = queries.map(({ sql, parameters }, index) => {
    const text = sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + before}`)
    before += parameters.length
    return `q${index} as (${text} returning 1)`
  })
  const text = `with ${parts.join(', ')} ${selectId}`
  mergedTexts.set(key, text)
  return text
}

const nameOf = statementNames()

const prepared = ({ sql: text, parameters }: CompiledQuery): Statement => {
  const name = nameOf(text)
  return { text, values: parameters as unknown[], ...(name && { name }) }
}
