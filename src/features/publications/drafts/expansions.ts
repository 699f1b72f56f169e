import { sql } from 'kysely'
import { Type } from 'typebox'
import { restOn } from '../../../database/basis.ts'
import { isoDate } from '../../../dates.ts'
import type { Expansion } from '../../../http/expand.ts'
import { DateTime } from '../../../http/schemas.ts'
import { UserReference, usersShown } from '../../access/expansions.ts'
import type { ShownRow } from '../table.ts'

const Draft = Type.Object({ changed_on: DateTime(), updated_by: UserReference, version: Type.Integer() })

type Row = {
  publication_id: string
  locale: string
  version: number
  updated_by: string | null
  changed_on: Date
}

/** Locale → who last saved a draft of it and when; `all` for what belongs to no locale. Nothing to say, no entry. */
export const draftExpansion: Expansion<ShownRow> = {
  schema: Type.Unsafe<object>({ type: 'object', additionalProperties: Draft }),
  load: async (db, actor, rows) => {
    restOn(actor, 'drafts')
    const ids = actor.token?.visibility === 'published' ? [] : rows.map(({ id }) => id)
    if (ids.length === 0) return () => ({})
    const found =
      await sql<Row>`select publication_id, locale, version, updated_by, changed_on from publication_drafts
      where environment_id = ${actor.environment_id} and publication_id = any(${ids}::text[])
        and changes <> '{}' order by publication_id, locale`.execute(db)
    const user = await usersShown(
      db,
      actor,
      found.rows.map(({ updated_by }) => updated_by),
    )
    const drafts = Map.groupBy(found.rows, ({ publication_id }) => publication_id)
    return ({ id }) =>
      Object.fromEntries(
        (drafts.get(id) ?? []).map(({ locale, changed_on, updated_by, version }) => [
          locale || 'all',
          { changed_on: isoDate(changed_on), updated_by: user(updated_by), version },
        ]),
      )
  },
}
