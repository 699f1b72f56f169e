import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import { transaction } from '../../database/transaction.ts'
import { once } from '../../http/once.ts'
import type { Outcome } from './groups.ts'
import type { Submission } from './receive.ts'
import { type Resolved, resolve } from './resolve.ts'
import { store } from './store.ts'

/** Records what requests want, by one commit for all that can be done. */
export const recordGroup = async (context: Context, group: Submission[]): Promise<Outcome[]> => {
  const resolved = await resolve(context, group)
  const good = resolved.filter((one): one is Resolved => !(one instanceof Error))
  if (good.length > 0) await transaction(context, (tx) => store(tx, good))
  return resolved.map((one) => (one instanceof Error ? one : undefined))
}

/** With an `Idempotency-Key`, by a commit of its own that remembers the key. */
export const recordWithKey = async (
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  submission: Submission,
): Promise<void> => {
  const [resolved] = await resolve(context, [submission])
  if (resolved instanceof Error) throw resolved
  const work = async (tx: Tx) => {
    await store(tx, [resolved!])
    return { id: submission.publicationId }
  }
  await once(context, request, reply, work, async (id) => ({ id }))
}
