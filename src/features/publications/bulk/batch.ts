import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { transaction } from '../../../database/transaction.ts'
import { Failure, type FieldError, NotFound, Unavailable } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import type { Actor } from '../../access/authenticate.ts'
import { changePublication } from '../commands/commands.ts'
import { deletePublication } from '../commands/delete.ts'
import type { Stored } from '../store/load.ts'
import { loadMany } from '../store/load-many.ts'
import type { PublicationRow } from '../table.ts'
import { actorOf } from './actor.ts'
import { callsOf } from './calls.ts'
import { endOperation } from './commands.ts'
import { presentOperation } from './present.ts'
import type { OperationRow, StoredChanges } from './table.ts'
import { undoOne } from './undo.ts'

/** Publications in one transaction: so long others may have to wait for one of them. */
export const batchSize = 25

/** What a transaction was about, for whoever has to say why it failed. */
export type Taken = { operation?: OperationRow; ids: string[] }

/**
 * One transaction: the changes, their versions and events, and how far it came. A kill leaves all of it or nothing,
 * so that each record is dealt with once. False if no operation is open.
 */
export const runSome = (context: Context, taken: Taken, single = false): Promise<boolean> =>
  transaction(context, async (tx) => {
    const operation = await lockOpen(tx)
    if (!operation) return false
    const { actor, refused } = await actorOf(context, tx, operation)
    taken.operation = operation
    const calls = operation.kind === 'webhooks' ? await callsOf(context, operation) : undefined
    const most = single ? 1 : (calls?.size ?? batchSize)
    taken.ids = refused === undefined ? await nextIds(tx, operation, most) : []
    if (refused !== undefined) await endOperation(tx, actor, operation, 'failed', refused)
    else if (taken.ids.length === 0) await endOperation(tx, actor, operation, 'done')
    else if (calls) {
      await calls.queue(tx, taken.ids)
      await advance(tx, actor, operation, taken.ids, [])
    } else {
      const failed: Failed = []
      const stored = operation.kind === 'undo' ? undefined : await lockAll(tx, operation, taken.ids)
      for (const id of taken.ids) {
        await attempt(context, tx, actor, operation, { id, stored }, failed)
        // Little is waited for, and requests of this process want their turns too.
        await setImmediate()
      }
      await advance(tx, actor, operation, taken.ids, failed)
    }
    return true
  })

/** Of each environment the oldest that is open: what was ordered later comes later. The environments take turns. */
const lockOpen = async (tx: Tx): Promise<OperationRow | undefined> => {
  const { rows } = await sql<OperationRow>`select * from bulk_operations as row
    where status in ('pending', 'running') and not exists (select 1 from bulk_operations as older
      where older.environment_id = row.environment_id and older.status in ('pending', 'running')
        and (older.created_on, older.id) < (row.created_on, row.id))
    order by coalesce(changed_on, created_on) limit 1 for update skip locked`.execute(tx)
  return rows[0]
}

const nextIds = async (
  tx: Tx,
  { environment_id, id, position }: OperationRow,
  size: number,
): Promise<string[]> => {
  const { rows } = await sql<{ record_id: string }>`select record_id from bulk_operation_records
    where environment_id = ${environment_id} and operation_id = ${id} and record_id > ${position ?? ''}
    order by record_id limit ${size}`.execute(tx)
  return rows.map(({ record_id }) => record_id)
}

/**
 * All of a batch in two statements. With that, and with what is stored being sent together, a batch waits for
 * PostgreSQL a few times and not a few times for each record.
 */
const lockAll = async (
  tx: Tx,
  { environment_id }: OperationRow,
  ids: string[],
): Promise<Map<string, Stored>> => {
  const { rows } = await sql<PublicationRow>`select * from publications
    where environment_id = ${environment_id} and id = any(${ids}::text[]) order by id for update`.execute(tx)
  return new Map((await loadMany(tx, rows)).map((stored) => [stored.row.id, stored]))
}

/** A record whose turn it is; `stored` has what of the batch still exists. */
type Turn = { id: string; stored: Map<string, Stored> | undefined }

type Failed = { id: string; errors: FieldError[] }[]

/** What is wrong with one record does not touch the others. One that was deleted meanwhile is passed over. */
const attempt = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  operation: OperationRow,
  turn: Turn,
  failed: Failed,
): Promise<void> => {
  try {
    await perform(context, tx, actor, operation, turn)
  } catch (error) {
    if (error instanceof NotFound) return
    if (!(error instanceof Failure) || error instanceof Unavailable) throw error
    failed.push({ id: turn.id, errors: errorsOf(error) })
  }
}

const perform = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  { id: bulkOperationId, kind, body, undoes }: OperationRow,
  { id, stored: all }: Turn,
): Promise<void> => {
  if (kind === 'undo') return undoOne(context, tx, actor, undoes!, id)
  const stored = all?.get(id)
  if (!stored) return
  if (kind === 'delete') return deletePublication(context, tx, actor, id, { bulkOperationId, stored })
  const { changes, is_form } = body as StoredChanges
  await changePublication(context, tx, actor, id, changes, { isForm: is_form, bulkOperationId, stored })
}

const errorsOf = (error: unknown): FieldError[] =>
  error instanceof Failure
    ? (error.errors ?? [{ path: '', message: error.message }])
    : [{ path: '', message: 'failed; the log of the service says why' }]

const advance = async (
  tx: Tx,
  actor: Actor,
  { environment_id, id, status }: OperationRow,
  ids: string[],
  failed: Failed,
): Promise<void> => {
  const { rows } = await sql<OperationRow>`update bulk_operations set status = 'running',
      processed = processed + ${ids.length}, failed = failed + ${failed.length}, position = ${ids.at(-1)!},
      changed_on = now(), version = version + 1
    where environment_id = ${environment_id} and id = ${id} returning *`.execute(tx)
  if (failed.length > 0)
    await sql`update bulk_operation_records as row set error = failed.errors::jsonb
      from unnest(${failed.map((one) => one.id)}::text[],
        ${failed.map(({ errors }) => JSON.stringify(errors))}::text[]) as failed (id, errors)
      where row.environment_id = ${environment_id} and row.operation_id = ${id}
        and row.record_id = failed.id`.execute(tx)
  if (status === 'pending')
    await emit(tx, actor, 'bulk_operation.changed', rows[0]!, presentOperation(rows[0]!))
}

/** Notes that a record failed for good, unless another node has come further meanwhile. */
export const giveUp = async (context: Context, { operation, ids }: Taken, error: unknown): Promise<void> => {
  const [id] = ids
  if (!(error instanceof Failure))
    context.log.error({ err: error, operation: operation!.id, record: id }, 'a bulk operation failed')
  await transaction(context, async (tx) => {
    const { rows } = await sql<OperationRow>`select * from bulk_operations
      where environment_id = ${operation!.environment_id} and id = ${operation!.id}
        and status in ('pending', 'running') and position is not distinct from ${operation!.position}
      for update`.execute(tx)
    if (!rows[0]) return
    const { actor } = await actorOf(context, tx, rows[0])
    await advance(tx, actor, rows[0], [id!], [{ id: id!, errors: errorsOf(error) }])
  })
}
