import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../database/connect.ts'
import { NotFound } from '../../../errors.ts'
import type { Actor } from '../authenticate.ts'
import { managesOrganisation } from '../authority.ts'
import type { TokenRow } from '../table.ts'

/** Tokens of this environment; those of the organisation only for who manages it. A session's own never show. */
export const visibleTokens = (actor: Actor): RawBuilder<unknown>[] => [
  sql`row.kind <> 'studio'`,
  managesOrganisation(actor)
    ? sql`(row.environment_id = ${actor.environment_id} or row.environment_id is null)`
    : sql`row.environment_id = ${actor.environment_id}`,
]

export const findToken = async (db: Db | Tx, actor: Actor, id: string, lock = false): Promise<TokenRow> => {
  const { rows } = await sql<TokenRow>`select * from tokens as row
    where id = ${id} and organisation_id = ${actor.organisation_id}
      and ${sql.join(visibleTokens(actor), sql` and `)}${sql.raw(lock ? ' for update' : '')}`.execute(db)
  if (!rows[0]) throw new NotFound('Token', id)
  return rows[0]
}
