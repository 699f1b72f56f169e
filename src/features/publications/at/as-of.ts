import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import type { Actor } from '../../access/authenticate.ts'
import { facet } from '../facets.ts'
import { isPublishedAt } from '../published.ts'
import type { ShownRow } from '../table.ts'

/** Id and locale of what a token may see at all; undefined where that is everything. */
export type Seen = ReadonlySet<string> | undefined

/**
 * Whoever sees only what is published sees another time only of what is published now as well: neither what is to
 * come nor what was withdrawn.
 */
export const seenNow = async (
  db: Db,
  { environment_id, token }: Pick<Actor, 'environment_id' | 'token'>,
  ids: string[],
): Promise<Seen> => {
  if (token.visibility !== 'published') return undefined
  const { rows } = await sql<{ id: string; locale: string }>`select id, locale from publication_locales
    where environment_id = ${environment_id} and id = any(${ids}::text[])
      and facets @> array[${facet(environment_id, 'published')}::bigint]`.execute(db)
  return new Set(rows.map(({ id, locale }) => `${id} ${locale}`))
}

/** The row as it is seen at that time. */
export const asOf = (row: ShownRow, doneId: string, at: Date, seen: Seen): ShownRow => ({
  ...row,
  state: Object.fromEntries(
    Object.entries(row.state).map(([locale, state]) => {
      const isSeen = row.locales.includes(locale) && (seen?.has(`${row.id} ${locale}`) ?? true)
      return [locale, { ...state, published: isSeen && isPublishedAt(state, doneId, at.getTime()) }]
    }),
  ),
})
