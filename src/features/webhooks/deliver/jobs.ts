import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { WebhookRow } from '../table.ts'

type Told = { organisation_id: string; environment_id: string; id: string }

/** Tells whoever made a webhook, or the owners of the organisation, that it is no longer called. */
export const tellOwner = async (
  context: Context,
  { organisation_id, environment_id, id }: Told,
): Promise<void> => {
  const { db, mail, config } = context
  const { rows } = await sql<WebhookRow>`select * from webhooks
    where environment_id = ${environment_id} and id = ${id} and not active`.execute(db)
  const webhook = rows[0]
  if (!webhook?.switched_off) return
  const { reason } = webhook.switched_off
  const { origin } = new URL(webhook.url)
  for (const to of await ownersOf(context, organisation_id, webhook))
    await mail.send({
      organisation_id,
      environment_id,
      to,
      subject: `The webhook to ${origin} was switched off`,
      text: `Marquee no longer calls the webhook ${id} at ${origin}. ${reason}\n\nWhat was still to be sent to it is cancelled; what happens from now on is not sent.\n\nWhen its receiver works again, switch it on in the Studio or with a PUT of {"active": true} to ${config.publicUrl}/webhooks/${id}. POST ${config.publicUrl}/webhooks/${id}/replay sends what it has missed.\n`,
    })
}

const ownersOf = async (
  { db }: Context,
  organisationId: string,
  { created_by }: WebhookRow,
): Promise<string[]> => {
  const { rows } = await sql<{ id: string; email: string }>`select id, email from organisation_users
    where organisation_id = ${organisationId} and (id = ${created_by} or role = 'owner')`.execute(db)
  const maker = rows.filter(({ id }) => id === created_by)
  return (maker.length > 0 ? maker : rows).map(({ email }) => email)
}

const batch = 5000

/** The log goes back 30 days. What is still pending stays. */
export const pruneDeliveries = async ({ db }: Context): Promise<void> => {
  for (let gone = batch; gone === batch; ) {
    const { numAffectedRows } = await sql`delete from webhook_deliveries where ctid = any(array(
      select ctid from webhook_deliveries where created_on < now() - interval '30 days' and status <> 'pending'
      limit ${batch}))`.execute(db)
    gone = Number(numAffectedRows ?? 0)
  }
}
