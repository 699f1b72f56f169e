import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { json } from '../../../database/json.ts'
import { insertRecord, lockRecord } from '../../../database/records.ts'
import { conflict, type FieldError, Invalid, NotFound } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import type { Actor } from '../../access/authenticate.ts'
import { requireFullSight } from '../sight.ts'
import { structureOf } from '../structure.ts'
import { type Asked, underPrefix } from './asked.ts'
import { hasCalls } from './cancel-calls.ts'
import { checkChanges } from './check.ts'
import { type Matched, match, matching, modelsAmong } from './match.ts'
import { presentOperation } from './present.ts'
import type { OperationKind, OperationRow, StoredCall, StoredChanges } from './table.ts'

/** A bulk call whose form has been read, with what is wrong with that already. */
export type Order = {
  kind: OperationKind
  asked: Asked
  isForm: boolean
  /** What webhooks are to be told. */
  event?: string
  faults: FieldError[]
}

/** What would be done: everything is judged, nothing is kept. */
export const planOperation = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  order: Order,
): Promise<Matched & { kind: OperationKind }> => {
  const { matched, ids, plan } = await match(tx, actor, await judge(context, tx, actor, order))
  return { kind: order.kind, matched, ids, plan }
}

/** Fixes the publications that are meant; the work on them is done beside requests. */
export const acceptOperation = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  order: Order,
): Promise<OperationRow> => {
  const { kind, asked } = order
  const those = await judge(context, tx, actor, order)
  const row = await begin(tx, actor, {
    kind,
    filter: json({ ...asked.filter, locale: asked.locale }),
    body: json(storedBody(order)),
  })
  const { matched, plan } = await match(tx, actor, those, row.id)
  if (asked.plan !== undefined && asked.plan !== plan)
    throw conflict('plan', 'other publications match by now, or some were changed', 'PlanOutdated')
  return announce(tx, actor, row, matched)
}

const storedBody = ({ kind, asked, isForm, event }: Order): StoredChanges | StoredCall | null => {
  if (kind === 'put') return { changes: asked.changes, is_form: isForm }
  return event === undefined ? null : { event }
}

/** The publications that are meant, once nothing is wrong with the call. */
const judge = async (context: Context, tx: Tx, actor: Actor, { kind, asked, isForm, faults }: Order) => {
  const found = await matching(context, actor, asked).catch((error) => underPrefix(error, asked.prefix))
  const filter = [...asked.faults, ...(Array.isArray(found) ? found : [])]
  const those = Array.isArray(found) || filter.length > 0 ? undefined : found
  const all = [...faults, ...filter]
  if (kind === 'put') {
    const structure = await structureOf(context, actor.environment_id)
    const models = those ? await modelsAmong(tx, those) : []
    const writing = { environment: actor.environment, structure, isForm, now: new Date() }
    all.push(...(await checkChanges(tx, actor, asked.changes, models, writing)))
  }
  if (!those || all.length > 0) throw new Invalid(each(all))
  return those
}

/** One per field: schema, filter and changes can each find the same fault. */
const each = (faults: FieldError[]): FieldError[] =>
  faults.filter(
    ({ path }, index) =>
      !faults.some((other, at) => at < index && (path === other.path || path.startsWith(`${other.path}.`))),
  )

const begin = (tx: Tx, actor: Actor, values: object): Promise<OperationRow> => {
  const { organisation_id, token_id, user_id } = actor
  return insertRecord(tx, 'bulk_operations', actor, {
    status: 'pending',
    performed_by: json({ organisation_id, token_id, user_id }),
    matched: 0,
    ...values,
  })
}

const announce = async (
  tx: Tx,
  actor: Actor,
  { id }: OperationRow,
  matched: number,
): Promise<OperationRow> => {
  const { rows } = await sql<OperationRow>`update bulk_operations set matched = ${matched}
    where environment_id = ${actor.environment_id} and id = ${id} returning *`.execute(tx)
  await emit(tx, actor, 'bulk_operation.created', rows[0]!, presentOperation(rows[0]!))
  return rows[0]!
}

const isOpen = ({ status }: OperationRow): boolean => status === 'pending' || status === 'running'

/** Stops it where it is: what is done stays done, and can be undone. A repeat is harmless. */
export const cancelOperation = async (tx: Tx, actor: Actor, id: string): Promise<OperationRow> => {
  const row = await lockOperation(tx, actor, id)
  if (row.status === 'cancelled') return row
  if (!isOpen(row) && !(await hasCalls(tx, row))) throw conflict('status', `is ${row.status} already`)
  return endOperation(tx, actor, row, 'cancelled')
}

/** Ends it with an event. Records are kept only where there is something to say of them. */
export const endOperation = async (
  tx: Tx,
  actor: Actor,
  { environment_id, id }: OperationRow,
  status: OperationRow['status'],
  reason: string | null = null,
): Promise<OperationRow> => {
  const { rows } = await sql<OperationRow>`update bulk_operations
    set status = ${status}, reason = ${reason}, changed_on = now(), version = version + 1, updated_by = ${actor.user_id}
    where environment_id = ${environment_id} and id = ${id} returning *`.execute(tx)
  await sql`delete from bulk_operation_records
    where environment_id = ${environment_id} and operation_id = ${id} and error is null`.execute(tx)
  await emit(tx, actor, 'bulk_operation.changed', rows[0]!, presentOperation(rows[0]!))
  return rows[0]!
}

/** A new operation that puts each publication back to what it was before the old one. */
export const undoOperation = async (tx: Tx, actor: Actor, id: string): Promise<OperationRow> => {
  requireFullSight(actor)
  const undone = await lockOperation(tx, actor, id)
  if (undone.kind === 'undo') throw conflict('kind', 'an undo cannot be undone')
  if (undone.kind === 'webhooks') throw conflict('kind', 'calls cannot be taken back')
  if (isOpen(undone)) throw conflict('status', `is ${undone.status}; it can be undone when it has ended`)
  const { rows } = await sql<{ id: string }>`select id from bulk_operations
    where environment_id = ${actor.environment_id} and undoes = ${id}`.execute(tx)
  if (rows[0]) throw conflict('id', `was undone before, by the operation ${rows[0].id}`)
  const row = await begin(tx, actor, { kind: 'undo', undoes: id, filter: json({}), body: json(null) })
  const { numAffectedRows } = await sql`
    insert into bulk_operation_records (environment_id, operation_id, record_id)
    select distinct environment_id, ${row.id}, publication_id from publication_versions
    where environment_id = ${actor.environment_id} and bulk_operation_id = ${id}`.execute(tx)
  return announce(tx, actor, row, Number(numAffectedRows))
}

const lockOperation = async (tx: Tx, actor: Actor, id: string): Promise<OperationRow> =>
  seen(actor, await lockRecord(tx, 'bulk_operations', 'BulkOperation', actor, id, undefined))

/** Who may order calls of webhooks sees what became of them; all else is not there without its scope. */
export const seesAllKinds = ({ token }: Actor): boolean => token.scopes.has('publications_bulk')

export const seen = (actor: Actor, row: OperationRow): OperationRow => {
  if (row.kind !== 'webhooks' && !seesAllKinds(actor)) throw new NotFound('BulkOperation', row.id)
  return row
}
