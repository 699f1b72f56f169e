import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connect.ts'
import { json } from '../../database/json.ts'
import { findRecord, insertRecord } from '../../database/records.ts'
import { conflict, NotFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { presentImport } from './present.ts'
import { type ImportName, type ImportRow, importNames } from './table.ts'

/** How a file is to be taken. */
export type Order = { kind: ImportName; dryRun: boolean; match: string | null }

/** An import whose file is still arriving: nobody sees it until it is accepted. */
export const beginImport = (tx: Tx, actor: Actor, { kind, dryRun, match }: Order): Promise<ImportRow> => {
  const { organisation_id, token_id, user_id } = actor
  return insertRecord(tx, 'imports', actor, {
    kind,
    status: 'receiving',
    dry_run: dryRun,
    match_by: match,
    performed_by: json({ organisation_id, token_id, user_id }),
  })
}

/** The whole file is here; the work on it is done beside requests. */
export const acceptImport = async (
  tx: Tx,
  actor: Actor,
  id: string,
  matched: number,
  columns: Record<string, string>,
): Promise<ImportRow> => {
  const { rows } = await sql<ImportRow>`update imports
    set status = 'pending', matched = ${matched}, columns = ${json(columns)}
    where environment_id = ${actor.environment_id} and id = ${id} and status = 'receiving' returning *`.execute(
    tx,
  )
  await emit(tx, actor, `${importNames[rows[0]!.kind].event}.created`, rows[0]!, presentImport(rows[0]!))
  return rows[0]!
}

/** Forgets what has arrived of a file that is not taken after all. */
export const dropImport = async (db: Db, { environment_id }: Actor, id: string): Promise<void> => {
  await sql`delete from imports
    where environment_id = ${environment_id} and id = ${id} and status = 'receiving'`.execute(db)
}

export const findImport = async (
  db: Db | Tx,
  { environment_id }: Actor,
  kind: ImportName,
  id: string,
  lock = false,
): Promise<ImportRow> => {
  const { label } = importNames[kind]
  const row = await findRecord(db, 'imports', label, environment_id, id, lock)
  if (row.kind !== kind || row.status === 'receiving') throw new NotFound(label, id)
  return row
}

/** Stops it where it is: what is done stays done. A repeat is harmless. */
export const cancelImport = async (
  tx: Tx,
  actor: Actor,
  kind: ImportName,
  id: string,
): Promise<ImportRow> => {
  const row = await findImport(tx, actor, kind, id, true)
  if (row.status === 'cancelled') return row
  if (row.status !== 'pending' && row.status !== 'running')
    throw conflict('status', `is ${row.status} already`)
  return endImport(tx, actor, row, 'cancelled')
}

/** Ends it with an event. Rows that wait are gone with it. */
export const endImport = async (
  tx: Tx,
  actor: Actor,
  { environment_id, id }: ImportRow,
  status: ImportRow['status'],
  reason: string | null = null,
): Promise<ImportRow> => {
  const { rows } = await sql<ImportRow>`update imports
    set status = ${status}, reason = ${reason}, changed_on = now(), version = version + 1, updated_by = ${actor.user_id}
    where environment_id = ${environment_id} and id = ${id} returning *`.execute(tx)
  await sql`delete from import_rows
    where environment_id = ${environment_id} and import_id = ${id}`.execute(tx)
  await emit(tx, actor, `${importNames[rows[0]!.kind].event}.changed`, rows[0]!, presentImport(rows[0]!))
  return rows[0]!
}
