import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../database/connect.ts'
import { NotFound } from '../../../errors.ts'
import type { Actor } from '../authenticate.ts'
import type { EnvironmentRow } from '../table.ts'

/** An environment's token sees its own; the organisation's tokens and back-office users see all of theirs. */
export const visibleEnvironments = ({ token, environment_id }: Actor): RawBuilder<unknown>[] =>
  token.kind === 'organisation' || token.kind === 'studio' ? [] : [sql`row.id = ${environment_id}`]

export const findEnvironment = async (
  db: Db | Tx,
  actor: Actor,
  id: string,
  lock = false,
): Promise<EnvironmentRow> => {
  const seen = [sql`row.organisation_id = ${actor.organisation_id}`, ...visibleEnvironments(actor)]
  const { rows } = await sql<EnvironmentRow>`select * from environments as row
    where id = ${id} and ${sql.join(seen, sql` and `)}${sql.raw(lock ? ' for update' : '')}`.execute(db)
  if (!rows[0]) throw new NotFound('Environment', id)
  return rows[0]
}
