import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { transaction } from '../../../database/transaction.ts'
import type { Notice } from '../../../jobs/dispatcher.ts'

/**
 * One step of work on stored publications that nobody wrote: without version and event. There is nothing that the
 * dispatcher could tell the nodes, so the transaction tells them itself.
 */
export const upkeep = <T>(
  context: Context,
  environmentId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> =>
  transaction(context, async (tx) => {
    const result = await work(tx)
    const notice: Notice = { changed: [[environmentId, 'content', null]] }
    await sql`select pg_notify('marquee', ${JSON.stringify(notice)})`.execute(tx)
    return result
  })

/** From the first id to the last; each step gives the id it ended with, and none where it found none. */
export const walk = async (step: (after: string) => Promise<string | undefined>): Promise<void> => {
  let after: string | undefined = ''
  while (after !== undefined) after = await step(after)
}
