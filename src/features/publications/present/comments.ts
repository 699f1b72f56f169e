import { sql } from 'kysely'
import type { Expansion } from '../../../http/expand.ts'
import { Collection } from '../../../http/list.ts'
import { presentRemark } from '../../remarks/present.ts'
import { Remark } from '../../remarks/schema.ts'
import type { RemarkRow } from '../../remarks/table.ts'
import type { ShownRow } from '../table.ts'

/** As many as a page of the list has; the rest stands at `/publications/{id}/internal_comments`. */
const most = 25

/** The newest notes of back-office users on each publication. They are not for readers of what is published. */
export const internalComments: Expansion<ShownRow> = {
  schema: Collection(Remark),
  load: async (db, { environment_id, token }, rows) => {
    const ids = token.visibility === 'published' ? [] : rows.map(({ id }) => id)
    const found = await sql<RemarkRow & { total: string }>`
      select note.* from unnest(${ids}::text[]) as wanted (id), lateral (
        select *, count(*) over () as total from remarks
        where environment_id = ${environment_id} and publication_id = wanted.id
        order by created_on desc, id desc limit ${most}) as note`.execute(db)
    const notes = Map.groupBy(found.rows, ({ publication_id }) => publication_id)
    return ({ id }) => {
      const mine = notes.get(id) ?? []
      const total = Number(mine[0]?.total ?? 0)
      return { items: mine.map(presentRemark), total, after: '', before: '', skip: 0, limit: most }
    }
  },
}
