import type { Db, Tx } from '../../database/connect.ts'
import {
  deleteRecord,
  type Expected,
  findRecord,
  insertRecord,
  lockRecord,
  updateRecord,
} from '../../database/records.ts'
import { InsufficientScope, invalid, NotFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { holds } from '../access/scopes.ts'
import { presentView } from './present.ts'
import type { ViewBody, ViewChanges } from './schema.ts'
import type { ViewRow } from './table.ts'

export const isSeen = (actor: Actor, { user_id }: ViewRow): boolean =>
  user_id === null || user_id === actor.user_id

/** The own view of somebody else is not there. */
export const findView = async (db: Db, actor: Actor, id: string): Promise<ViewRow> => {
  const row = await findRecord(db, 'views', 'View', actor.environment_id, id)
  if (!isSeen(actor, row)) throw new NotFound('View', id)
  return row
}

/** What all see is changed by those who change content. */
const requireShare = (actor: Actor): void => {
  if (!holds(actor.token.scopes, 'publications_publish'))
    throw new InsufficientScope(['publications_publish'])
}

/** Whose it will be. A token without a user has nobody to keep a view for. */
const ownerOf = (actor: Actor, shared: boolean): string | null => {
  if (shared) requireShare(actor)
  else if (actor.user_id === null) throw invalid('shared', 'must be true with a token that has no user')
  return shared ? null : actor.user_id
}

export const createView = async (tx: Tx, actor: Actor, body: ViewBody): Promise<ViewRow> => {
  const { shared = actor.user_id === null, position = 0, ...rest } = body
  const row = await insertRecord(tx, 'views', actor, { ...rest, position, user_id: ownerOf(actor, shared) })
  await emit(tx, actor, 'view.created', row, presentView(row))
  return row
}

const lockView = async (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<ViewRow> => {
  const row = await lockRecord(tx, 'views', 'View', actor, id, undefined)
  if (!isSeen(actor, row)) throw new NotFound('View', id)
  if (row.user_id === null) requireShare(actor)
  return expected === undefined ? row : lockRecord(tx, 'views', 'View', actor, id, expected)
}

export const changeView = async (
  tx: Tx,
  actor: Actor,
  id: string,
  { shared, ...changes }: ViewChanges,
  expected: Expected,
): Promise<ViewRow> => {
  const before = await lockView(tx, actor, id, expected)
  const moved = shared === undefined ? {} : { user_id: ownerOf(actor, shared) }
  const row = await updateRecord(tx, 'views', actor, before, { ...changes, ...moved })
  if (row !== before) await emit(tx, actor, 'view.changed', row, presentView(row))
  return row
}

export const deleteView = async (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<void> => {
  const row = await lockView(tx, actor, id, expected)
  await deleteRecord(tx, 'views', actor, row)
  await emit(tx, actor, 'view.deleted', row, presentView(row))
}
