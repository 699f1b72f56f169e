import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Expansion, Expansions } from '../../http/expand.ts'
import { presentBase } from '../../http/schemas.ts'
import { commonExpansions } from '../access/expansions.ts'
import type { PersonRow } from '../persons/table.ts'
import { Writer } from './schema.ts'
import { isSeen } from './sight.ts'
import type { CommentRow } from './table.ts'

/** Nothing in it tells who wrote it, so that it can be told in events and outlive the person. */
export const presentComment = (row: CommentRow) => ({
  ...presentBase('Comment', row),
  body: row.body,
  moderated: row.moderated,
  status: row.status,
  publication: { id: row.publication_id },
  parent: row.parent_id === null ? null : { id: row.parent_id },
})

const sent: Expansion<CommentRow> = {
  schema: Writer,
  inner: ['id', 'label', 'initials', 'firstname', 'nickname'],
  load: async (db, { environment_id }, comments) => {
    const keys = comments.flatMap(({ person_key }) => person_key ?? [])
    const { rows } = await sql<PersonRow>`select key, id, initials, first_name, nickname from persons
      where environment_id = ${environment_id} and key = any(${keys}::bigint[])`.execute(db)
    const byKey = new Map(rows.map((row) => [row.key, presentWriter(row)]))
    return ({ person_key }) => byKey.get(person_key ?? '') ?? null
  },
}

const presentWriter = ({ id, initials, first_name, nickname }: PersonRow) => ({
  ...{ id, label: 'Person', initials, firstname: first_name, nickname },
})

const replies: Expansion<CommentRow> = {
  schema: Type.Object({ total: Type.Integer() }),
  inner: ['total'],
  load: async (db, actor, comments) => {
    const ids = comments.map(({ id }) => id)
    const { rows } = await sql<{
      id: string
      total: number
    }>`select parent_id as id, count(*)::integer as total
      from comments as row where environment_id = ${actor.environment_id} and parent_id = any(${ids}::text[])
        and ${isSeen(actor)} group by parent_id`.execute(db)
    const totals = new Map(rows.map(({ id, total }) => [id, total]))
    return ({ id }) => ({ total: totals.get(id) ?? 0 })
  },
}

export const commentExpansions = { ...commonExpansions, sent, replies } satisfies Expansions<CommentRow>
