import { isPublishedAt } from '../published.ts'
import type { PublicationRow } from '../table.ts'

/** The row as it is seen at that time. */
export const asOf = (row: PublicationRow, doneId: string, at: Date): PublicationRow => ({
  ...row,
  state: Object.fromEntries(
    Object.entries(row.state).map(([locale, state]) => [
      locale,
      { ...state, published: row.locales.includes(locale) && isPublishedAt(state, doneId, at.getTime()) },
    ]),
  ),
})
