import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connect.ts'
import type { Condition } from '../../database/filters.ts'
import { NotFound } from '../../errors.ts'
import type { Actor } from '../access/authenticate.ts'
import { facet } from '../publications/facets.ts'
import type { CommentRow } from './table.ts'

const onlyPublished = ({ token }: Actor): boolean => token?.visibility === 'published'

/** Whether a token sees a comment at all; said in words that the index of readers is known by. */
export const isSeen = (actor: Actor): Condition =>
  onlyPublished(actor) ? sql`row.status = 'approved'` : sql`true`

/** Readers see nothing of what is under publications that they do not see. */
export const isUnderSeen = (actor: Actor): Condition => {
  if (!onlyPublished(actor)) return sql`true`
  const published = facet(actor.environment_id, 'published')
  return sql`(${isSeen(actor)} and exists (select 1 from publications as seen
    where seen.environment_id = row.environment_id and seen.id = row.publication_id
      and seen.facets @> array[${published}::bigint]))`
}

export const findComment = async (
  db: Db | Tx,
  actor: Actor,
  id: string,
  lock = sql``,
): Promise<CommentRow> => {
  const { rows } =
    await sql<CommentRow>`select * from comments as row where environment_id = ${actor.environment_id}
    and id = ${id} and ${isUnderSeen(actor)} ${lock}`.execute(db)
  if (!rows[0]) throw new NotFound('Comment', id)
  return rows[0]
}
