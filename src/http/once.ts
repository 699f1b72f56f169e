import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Tx } from '../database/connect.ts'
import { transaction } from '../database/transaction.ts'
import { conflict, invalid } from '../errors.ts'

/**
 * Runs a POST's work in one transaction and gives the record it made. With an `Idempotency-Key` a repeat within
 * 24 hours finds the record of the first time instead; both stand or fall with the same commit, and repeats
 * that arrive together wait for the first on the key's row.
 */
export const once = async <R extends { id: string }>(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (tx: Tx) => Promise<R>,
  find: (id: string) => Promise<R>,
): Promise<R> => {
  const key = request.headers['idempotency-key']
  if (key === undefined) return transaction(context, work)
  if (typeof key !== 'string' || key.length < 1 || key.length > 255)
    throw invalid('Idempotency-Key', 'must be 1 to 255 characters')
  const { environment_id, token_id } = request.actor
  const row = { environment_id, token_id: token_id!, key }
  const hash = requestHash(context, request)
  const made = await transaction(context, async (tx) => {
    const claimed = await tx
      .insertInto('idempotency_keys')
      .values({ ...row, request_hash: hash, record_id: null })
      .onConflict((on) =>
        on
          .columns(['environment_id', 'token_id', 'key'])
          .doUpdateSet({ request_hash: hash, record_id: null, created_on: sql`now()` })
          .where('idempotency_keys.created_on', '<', sql<Date>`now() - interval '24 hours'`),
      )
      .returning('key')
      .executeTakeFirst()
    if (!claimed) return replay(tx, reply, row, hash)
    const record = await work(tx)
    await where(tx.updateTable('idempotency_keys').set({ record_id: record.id }), row).execute()
    return record
  })
  return typeof made === 'string' ? find(made) : made
}

type KeyRow = { environment_id: string; token_id: string; key: string }

/** The id of what the first request made. */
const replay = async (tx: Tx, reply: FastifyReply, row: KeyRow, hash: Buffer): Promise<string> => {
  const first = await where(tx.selectFrom('idempotency_keys').selectAll(), row).executeTakeFirstOrThrow()
  if (!hash.equals(first.request_hash))
    throw conflict('Idempotency-Key', 'was used before with another request', 'IdempotencyKeyReused')
  reply.header('Idempotency-Replayed', 'true')
  return first.record_id!
}

const where = <Q extends { where(column: never, operator: never, value: never): Q }>(
  query: Q,
  row: KeyRow,
): Q =>
  Object.entries(row).reduce(
    (q, [name, value]) => q.where(name as never, '=' as never, value as never),
    query,
  )

/** Keyed, because a body may hold a password that a plain hash would let one guess. */
const requestHash = ({ keys }: Context, request: FastifyRequest): Buffer => {
  const parts = [request.method, request.url.split('?', 1)[0], request.query, request.body]
  return Buffer.from(keys.sign('idempotency', JSON.stringify(parts)), 'base64url')
}
