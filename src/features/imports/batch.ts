import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import { transaction } from '../../database/transaction.ts'
import { Failure } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { actorOf } from '../publications/bulk/actor.ts'
import { columnFor } from './columns.ts'
import { endImport } from './commands.ts'
import { shown } from './decode.ts'
import { faultsOf } from './faults.ts'
import { importKinds } from './kinds.ts'
import { presentImport } from './present.ts'
import { openBatch } from './receive.ts'
import { type FailedRow, type FileRow, type ImportRow, importNames, type Outcome } from './table.ts'

/** What a transaction was about, for whoever has to say why it failed. */
export type Taken = { order?: ImportRow; numbers: number[] }

/**
 * One transaction: the records, their events, and how far it came. A kill leaves all of it or nothing, so that each row
 * is dealt with once. False if no import is open.
 */
export const runSome = (context: Context, taken: Taken, single = false): Promise<boolean> =>
  transaction(context, async (tx) => {
    const order = await lockOpen(tx)
    if (!order) return false
    taken.order = order
    const { actor, refused } = await actorOf(context, tx, order)
    const rows = refused === undefined ? await nextRows(context, tx, order) : []
    taken.numbers = (single ? rows?.slice(0, 1) : rows)?.map(({ number }) => number) ?? []
    if (refused !== undefined) await endImport(tx, actor, order, 'failed', refused)
    else if (!rows) await endImport(tx, actor, order, 'failed', 'its rows cannot be decrypted')
    else if (rows.length === 0) await endImport(tx, actor, order, 'done')
    else {
      const outcome = await importKinds[order.kind].apply(
        context,
        tx,
        actor,
        order,
        rows.slice(0, taken.numbers.length),
      )
      await advance(tx, actor, order, taken.numbers, outcome)
    }
    return true
  })

/** Of each environment the oldest that is open: what came later may build on it. The environments take turns. */
const lockOpen = async (tx: Tx): Promise<ImportRow | undefined> => {
  const { rows } = await sql<ImportRow>`select * from imports as row
    where status in ('pending', 'running') and not exists (select 1 from imports as older
      where older.environment_id = row.environment_id and older.status in ('pending', 'running')
        and (older.created_on, older.id) < (row.created_on, row.id))
    order by coalesce(changed_on, created_on) limit 1 for update skip locked`.execute(tx)
  return rows[0]
}

/** Those of the next batch that are left; undefined if the key that they were encrypted with is another one now. */
const nextRows = async (
  { keys, log }: Context,
  tx: Tx,
  { environment_id, id, position }: ImportRow,
): Promise<FileRow[] | undefined> => {
  const { rows } = await sql<{ rows: string }>`select rows from import_rows
    where environment_id = ${environment_id} and import_id = ${id} and number > ${position}
    order by number limit 1`.execute(tx)
  if (!rows[0]) return []
  try {
    return openBatch(keys, rows[0].rows).filter(({ number }) => number > position)
  } catch (error) {
    log.error({ err: error, import: id }, 'rows of an import cannot be read')
    return undefined
  }
}

const advance = async (
  tx: Tx,
  actor: Actor,
  order: ImportRow,
  numbers: number[],
  { created, updated, failed }: Outcome,
): Promise<void> => {
  const { environment_id, id } = order
  const position = numbers.at(-1)!
  const { rows } = await sql<ImportRow>`update imports set status = 'running',
      processed = processed + ${numbers.length}, created = created + ${created}, updated = updated + ${updated},
      failed = failed + ${failed.length}, position = ${position}, changed_on = now(), version = version + 1
    where environment_id = ${environment_id} and id = ${id} returning *`.execute(tx)
  await sql`delete from import_rows
    where environment_id = ${environment_id} and import_id = ${id} and number <= ${position}`.execute(tx)
  await noteErrors(tx, order, failed)
  if (order.status === 'pending')
    await emit(tx, actor, `${importNames[order.kind].event}.changed`, rows[0]!, presentImport(rows[0]!))
}

const shownPerRow = 20

const noteErrors = async (
  tx: Tx,
  { environment_id, id, columns }: ImportRow,
  failed: FailedRow[],
): Promise<void> => {
  if (failed.length === 0) return
  const errors = failed.flatMap(({ number, faults }) =>
    faults.slice(0, shownPerRow).map(({ path, message }, place) => ({
      environment_id,
      id: `${id}-${number}-${String(place).padStart(2, '0')}`,
      import_id: id,
      number,
      column: shown(columnFor(columns, path)),
      message,
    })),
  )
  await sql`insert into import_errors select * from
    jsonb_populate_recordset(null::import_errors, ${JSON.stringify(errors)}::text::jsonb)`.execute(tx)
}

/** Notes that a row failed for good, unless another node has come further meanwhile. */
export const giveUp = async (context: Context, { order, numbers }: Taken, error: unknown): Promise<void> => {
  const { environment_id, id, position } = order!
  const number = numbers[0]!
  if (!(error instanceof Failure)) context.log.error({ err: error, import: id, row: number }, 'a row failed')
  await transaction(context, async (tx) => {
    const { rows } = await sql<ImportRow>`select * from imports
      where environment_id = ${environment_id} and id = ${id} and status in ('pending', 'running')
        and position = ${position} for update`.execute(tx)
    if (!rows[0]) return
    const { actor } = await actorOf(context, tx, rows[0])
    const failed = [{ number, faults: faultsOf(error) }]
    await advance(tx, actor, rows[0], [number], { created: 0, updated: 0, failed })
  })
}
