import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import { NotFound } from '../../../errors.ts'
import type { Actor } from '../../access/authenticate.ts'
import { shownOf } from '../present/shown.ts'
import { shownLocales, type View } from '../present/view.ts'
import { findPublication } from '../queries.ts'
import type { ShownRow } from '../table.ts'
import { findVersion, publicationAt } from '../versions/load.ts'
import { asOf, seenNow } from './as-of.ts'
import { isPast } from './moment.ts'

type Found = { row: ShownRow; view: View }

/** One publication as it was, or will be, published at a time. One that was deleted since is there until then. */
export const findAt = async (db: Db, actor: Actor, id: string, at: Date, view: View): Promise<Found> => {
  const found = isPast(at) ? await findPast(db, actor, id, at, view) : await findNow(db, actor, id, view)
  if (!found) throw new NotFound('Publication', id)
  const doneId = view.structure.findStatus({ body: 'Done' })!.id
  const row = asOf(found.row, doneId, at, await seenNow(db, actor, [id]))
  const seen = { ...found.view, publishedOnly: true }
  if (shownLocales(row, seen).length === 0) throw new NotFound('Publication', id)
  return { row, view: seen }
}

const findNow = async (db: Db, { environment_id }: Actor, id: string, view: View): Promise<Found> => ({
  row: await findPublication(db, environment_id, id, view),
  view,
})

const findPast = async (
  db: Db,
  actor: Actor,
  id: string,
  at: Date,
  view: View,
): Promise<Found | undefined> => {
  const version = await findVersion(db, actor.environment_id, id, sql`row.created_on <= ${at}`)
  if (!version || version.event === 'deleted') return undefined
  return shownOf(publicationAt(version), actor, view)
}
