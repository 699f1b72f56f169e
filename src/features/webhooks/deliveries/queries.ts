import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import { NotFound } from '../../../errors.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../table.ts'

/** Each is found only through its own webhook. */
export const findDelivery = async (
  db: Db,
  { environment_id, id: webhookId }: Pick<WebhookRow, 'environment_id' | 'id'>,
  id: string,
  lock = false,
): Promise<WebhookDeliveryRow> => {
  const { rows } = await sql<WebhookDeliveryRow>`select * from webhook_deliveries
    where environment_id = ${environment_id} and webhook_id = ${webhookId} and id = ${id}
    ${sql.raw(lock ? 'for update' : '')}`.execute(db)
  if (!rows[0]) throw new NotFound('WebhookDelivery', id)
  return rows[0]
}
