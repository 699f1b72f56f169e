import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { json } from '../../../database/json.ts'
import { transaction } from '../../../database/transaction.ts'
import { emit } from '../../../events.ts'
import type { Facts } from '../../../media/orders.ts'
import { presentAsset } from '../present.ts'
import type { AssetRow, Derivative } from '../table.ts'
import { type Claimed, isMine } from './claim.ts'

/** False when the asset is not ours any more: then nothing of what was found out holds. */
const settle = (context: Context, mine: Claimed, columns: RawBuilder<unknown>): Promise<boolean> =>
  transaction(context, async (tx) => {
    const { rows } = await sql<AssetRow & { organisation_id: string }>`
      update assets set ${columns}, claimed_until = null, attempts = 0, version = version + 1, changed_on = now()
      where ${isMine(mine)}
      returning *, (select organisation_id from environments where id = environment_id)`.execute(tx)
    const [row] = rows
    if (!row) return false
    const { organisation_id, environment_id } = row
    const by = { organisation_id, environment_id, token_id: null, user_id: null }
    await emit(tx, by, 'asset.changed', row, presentAsset(row))
    return true
  })

export const makeReady = (
  context: Context,
  mine: Claimed,
  { width, height, duration, details }: Facts,
  derivatives: Derivative[],
): Promise<boolean> =>
  settle(
    context,
    mine,
    sql`status = 'ready', progress = 1, failure = null, width = ${width ?? null}, height = ${height ?? null},
      duration = ${duration ?? null}, details = ${json(details)}, derivatives = ${json(derivatives)}`,
  )

export const makeFailed = (context: Context, mine: Claimed, failure: string): Promise<boolean> =>
  settle(context, mine, sql`status = 'failed', progress = null, failure = ${failure}`)
