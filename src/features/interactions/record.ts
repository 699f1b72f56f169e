import type { Context } from '../../context.ts'
import { translate } from '../../database/errors.ts'
import { transaction } from '../../database/transaction.ts'
import type { Outcome } from './groups.ts'
import type { Submission } from './receive.ts'
import { type Resolved, resolve } from './resolve.ts'
import { linksNothing, store, storeAlone } from './store.ts'

/** Records what requests want, by one commit for all that can be done. */
export const recordGroup = async (context: Context, group: Submission[]): Promise<Outcome[]> => {
  const resolved = await resolve(context, group)
  const good = resolved.filter((one): one is Resolved => !(one instanceof Error))
  if (linksNothing(good)) await storeAlone(context.db, good).catch(rethrow)
  else await transaction(context, (tx) => store(tx, good))
  return resolved.map((one) => (one instanceof Error ? one : undefined))
}

const rethrow = (error: unknown): never => {
  throw translate(error)
}

/** For a request that is recorded by a commit of its own. */
export const resolveOne = async (context: Context, submission: Submission): Promise<Resolved> => {
  const [resolved] = await resolve(context, [submission])
  if (resolved instanceof Error) throw resolved
  return resolved!
}
