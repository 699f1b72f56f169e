import type postgres from 'postgres'
import type { Pool } from './pool.ts'

/** What postgres.js (3.4.9) hands to `onexecute`: a connection of the pool. */
type Wire = {
  execute(query: Query): unknown
  reserved: (() => void) | null
  onclose: ((error: unknown) => void) | null
}
type Query = postgres.PendingQuery<postgres.Row[]> & {
  handler(query: Query): void
  reject(error: unknown): void
}

export type Reservation = {
  begun: Promise<unknown>
  send(text: string, parameters: readonly unknown[]): Promise<postgres.RowList<postgres.Row[]>>
  /** The last statement, after which the connection goes back to the pool by itself. */
  end(statement: 'commit' | 'rollback'): Promise<postgres.RowList<postgres.Row[]>> | undefined
}

/**
 * A connection for one transaction, as `sql.begin` of the driver takes it, but `begin` travels together with
 * the first statement. Its own `sql.reserve` is of no use when PostgreSQL goes away: a rollback on a closed
 * connection crashes the process, what waits behind another statement is never answered, and a reservation
 * that could not connect swallows a later connection for good.
 *
 * The pool must serve transactions only: `onexecute` is certain to be called only on an idle connection.
 */
export const reserve = async (pool: Pool, begin: string): Promise<Reservation> => {
  const sql = pool.current()
  const pending = new Set<Query>()
  const queue: Query[] = []
  const got = Promise.withResolvers<Wire | undefined>()
  let waiting = false
  let abandoned = false
  let ended = false
  let lost: unknown

  const lose = (error: unknown): void => {
    lost ??= error
    for (const query of pending) query.reject(error)
  }
  const take = (wire: Wire): boolean => {
    if (abandoned) {
      // Behind `begin`, so that the connection is left as it was found.
      const undo = sql.unsafe('rollback') as unknown as Query
      undo.handler = () => wire.execute(undo)
      undo.catch(() => {})
      wire.reserved = () => {}
      return false
    }
    wire.onclose = lose
    wire.reserved = () => {
      waiting = false
      while (!waiting && queue.length > 0) waiting = !wire.execute(queue.shift()!)
    }
    got.resolve(wire)
    return false
  }
  const begun = sql.unsafe(begin, [], { onexecute: take } as never).execute() as unknown as Query
  pending.add(begun)
  begun.catch((error) => {
    lose(error)
    got.reject(error)
  })
  // Whoever still waits for a connection when the pool is replaced would wait for one that never comes.
  const forget = pool.whenReplaced(() => got.resolve(undefined))
  const wire = await got.promise.finally(forget)
  if (!wire) {
    abandoned = true
    return reserve(pool, begin)
  }

  const run = (query: Query) => {
    query.handler = () => {
      if (lost) query.reject(lost)
      else if (waiting) queue.push(query)
      else waiting = !wire.execute(query)
    }
    pending.add(query)
    const done = () => pending.delete(query)
    query.then(done, done)
    return query
  }
  return {
    begun,
    send(text, parameters) {
      // Its connection may be another transaction's by now.
      if (ended || lost) return Promise.reject(lost ?? new Error('the transaction is over'))
      return run(sql.unsafe(text, parameters as never[], { prepare: true }) as unknown as Query)
    },
    end(statement) {
      if (statement === 'rollback' && (ended || lost)) return undefined
      if (lost) return Promise.reject(lost)
      ended = true
      return run(sql.unsafe(statement) as unknown as Query)
    },
  }
}
