import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { AssetLabel, AssetRow } from '../table.ts'

/** So long a node may be silent before another takes over what it was processing. */
const lease = '20 seconds'

export type Claimed = AssetRow & { sha256: string }

/**
 * The oldest asset that waits, of the environment that was served longest ago: nobody's thousand files keep another's
 * one waiting. `attempts` tells this claim from any other.
 */
export const claim = async (
  { db }: Pick<Context, 'db'>,
  labels: AssetLabel[],
  served: string[],
): Promise<Claimed | undefined> => {
  const { rows } = await sql<Claimed>`
    with waiting as (
      select distinct on (environment_id) environment_id, id, created_on from assets
      where status = 'processing' and deleted_on is null and label = any(${labels}::text[])
        and (claimed_until is null or claimed_until < now())
      order by environment_id, created_on, id
    ), next as (
      select environment_id, id from waiting
      order by array_position(${served}::text[], environment_id) nulls first, created_on limit 1
    )
    update assets set claimed_until = now() + ${lease}::interval, attempts = attempts + 1
    from next where assets.environment_id = next.environment_id and assets.id = next.id
      and assets.status = 'processing' and (assets.claimed_until is null or assets.claimed_until < now())
    returning assets.*`.execute(db)
  return rows[0]
}

/** Still the same bytes in the same hands. */
export const isMine = ({ environment_id, id, sha256, attempts }: Claimed) => sql`
  environment_id = ${environment_id} and id = ${id} and sha256 = ${sha256} and attempts = ${attempts}
  and status = 'processing' and deleted_on is null`

/** Says how far it is; false when it is somebody else's by now, deleted, or of other bytes. */
export const renew = async ({ db }: Context, mine: Claimed, progress: number): Promise<boolean> => {
  const { rows } =
    await sql`update assets set claimed_until = now() + ${lease}::interval, progress = ${progress}
    where ${isMine(mine)} returning 1`.execute(db)
  return rows.length > 0
}

/** Given back as if it had not been begun. What got other bytes meanwhile begins anew. */
export const release = async (
  { db }: Context,
  { environment_id, id, sha256, attempts }: Claimed,
): Promise<void> => {
  await sql`update assets set claimed_until = null,
      attempts = case when sha256 = ${sha256} then ${attempts}::integer - 1 else 0 end
    where environment_id = ${environment_id} and id = ${id} and attempts = ${attempts}
      and status = 'processing'`.execute(db)
}

/** To be tried again, later each time. */
export const postpone = async ({ db }: Context, mine: Claimed): Promise<void> => {
  const seconds = 5 * 4 ** (mine.attempts - 1)
  await sql`update assets set claimed_until = now() + make_interval(secs => ${seconds}::float8)
    where ${isMine(mine)}`.execute(db)
}
