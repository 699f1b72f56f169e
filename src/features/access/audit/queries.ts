import { sql } from 'kysely'
import type { Condition } from '../../../database/filters.ts'
import type { Actor } from '../authenticate.ts'
import { managesOrganisation } from '../authority.ts'

/** Without the snapshots: what a record held is not for everybody who may see that it changed. */
export const auditEntries = sql`(select sequence, id, organisation_id, environment_id, event, label, record_id,
  created_on, performed_by ->> 'user_id' as user_id, performed_by ->> 'token_id' as token_id from events)`

/** What happened in this environment; what happened above it only for who manages the organisation. */
export const ofThisEnvironment = (actor: Actor): Condition[] =>
  managesOrganisation(actor)
    ? [
        sql`row.organisation_id = ${actor.organisation_id}`,
        sql`(row.environment_id is null or row.environment_id = ${actor.environment_id})`,
      ]
    : [sql`row.organisation_id = ${actor.organisation_id}`, sql`row.environment_id = ${actor.environment_id}`]
