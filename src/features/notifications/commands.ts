import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import { NotFound } from '../../errors.ts'
import type { NotificationRow, NotificationState } from './table.ts'

/** Moves what a person is told of a publication to another state; any move is allowed. */
export const moveNotification = async (
  tx: Tx,
  environmentId: string,
  personKey: string,
  publicationId: string,
  state: NotificationState,
): Promise<NotificationRow> => {
  const one = sql`environment_id = ${environmentId} and person_key = ${personKey}
    and publication_id = ${publicationId}`
  const { rows } = await sql<NotificationRow>`update notifications
    set state = ${state}, changed_on = case when state = ${state} then changed_on else now() end
    where ${one} returning *`.execute(tx)
  if (!rows[0]) throw new NotFound('Notification', publicationId)
  return rows[0]
}
