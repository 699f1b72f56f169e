import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import type { Condition } from '../../../database/filters.ts'
import type { Token } from '../../access/authenticate.ts'
import type { ArtistRow } from '../table.ts'
import type { MusicKind } from './kinds.ts'

type Reader = { environment_id: string; token?: Pick<Token, 'visibility'> }

export const seesAll = ({ token }: Reader): boolean => token?.visibility !== 'published'

/** Published, and that has begun and not ended. */
export const isShown = (
  reader: Reader,
  { status, published_on, unpublish_on }: Pick<ArtistRow, 'status' | 'published_on' | 'unpublish_on'>,
  now = new Date(),
): boolean =>
  seesAll(reader) ||
  (status === 'published' && published_on <= now && (unpublish_on === null || unpublish_on > now))

/** The same as a condition on `alias`, as of a moment. */
export const shownAt = (reader: Reader, alias: string, moment: Date): Condition => {
  if (seesAll(reader)) return sql`true`
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`(${column('status')} = 'published' and ${column('published_on')} <= ${moment}
    and (${column('unpublish_on')} is null or ${column('unpublish_on')} > ${moment}))`
}

/**
 * When something last became visible, or ceased to be, by the clock. What is visible has been the same ever since, so a
 * total that was counted as of then is still right, and can be remembered.
 */
export const lastMove = async (db: Db, { table }: MusicKind, environmentId: string): Promise<Date> => {
  const latest = (column: string) => sql`(select ${sql.ref(column)} from ${sql.table(table)}
    where environment_id = ${environmentId} and status = 'published' and ${sql.ref(column)} <= now()
    order by ${sql.ref(column)} desc limit 1)`
  const { rows } = await sql<{ moment: Date | null }>`
    select greatest(${latest('published_on')}, ${latest('unpublish_on')}) as moment`.execute(db)
  return rows[0]!.moment ?? new Date(0)
}
