import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../database/transaction.ts'
import { NotFound } from '../../../errors.ts'
import type { Actor, Token } from '../../access/authenticate.ts'
import { assetFromUrl } from '../../assets/intake.ts'
import { changeMusic } from './commands.ts'
import { artistKind, trackKind } from './kinds.ts'

export const coverLimits = { label: 'Cover', path: 'cover', max: 20_000_000 } as const

type Waiting = {
  environment_id: string
  kind: 'artists' | 'tracks'
  record_id: string
  url: string
  attempts: number
}

const atOnce = 4
const mostAttempts = 5

/** Fetches covers that imports have named; false if none is due. A node takes them for a while, then another may. */
export const fetchWaiting = async (context: Context): Promise<boolean> => {
  const { rows } = await sql<Waiting>`update waiting_covers as row
    set attempts = attempts + 1, next_on = now() + interval '2 minutes' * (attempts + 1)
    where (environment_id, kind, record_id) in (select environment_id, kind, record_id from waiting_covers
      where next_on <= now() order by next_on limit ${atOnce} for update skip locked)
    returning environment_id, kind, record_id, url, attempts`.execute(context.db)
  await Promise.all(rows.map((waiting) => fetchOne(context, waiting)))
  return rows.length > 0
}

const fetchOne = async (context: Context, waiting: Waiting): Promise<void> => {
  const { kind, record_id, url, attempts } = waiting
  try {
    const actor = await actorFor(context, waiting)
    const { id } = await assetFromUrl(context, actor, url, coverLimits)
    const change = changeMusic(kind === 'tracks' ? trackKind : artistKind)
    await transaction(context, (tx) => change(tx, actor, record_id, { cover: { id } }, undefined))
    await forget(context, waiting)
  } catch (error) {
    if (error instanceof NotFound || attempts >= mostAttempts) await forget(context, waiting)
    context.log.warn({ err: error, kind, record: record_id, attempts }, 'a cover could not be fetched')
  }
}

const forget = async ({ db }: Context, { environment_id, kind, record_id, url }: Waiting): Promise<void> => {
  await sql`delete from waiting_covers where environment_id = ${environment_id} and kind = ${kind}
    and record_id = ${record_id} and url = ${url}`.execute(db)
}

/** The service itself, which no token speaks for. */
const actorFor = async ({ tokens }: Context, { environment_id }: Waiting): Promise<Actor> => {
  const environment = (await tokens.environment(environment_id))!
  const { organisation_id } = environment
  return {
    organisation_id,
    environment_id,
    token_id: null,
    user_id: null,
    person_key: null,
    environment,
    token: undefined as unknown as Token,
  }
}
