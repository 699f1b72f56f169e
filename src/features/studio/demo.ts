import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import { transaction } from '../../database/transaction.ts'
import { conflict } from '../../errors.ts'
import type { Actor } from '../access/authenticate.ts'
import { changeEnvironment } from '../access/environments/commands.ts'
import { scopes } from '../access/scopes.ts'
import type { EnvironmentRow } from '../access/table.ts'

type Asked = { organisation_id: string; environment_id: string; user_id: string | null }

/** Only where nobody has begun; a repeat while it is being loaded is harmless. */
export const askForDemo = async (tx: Tx, actor: Actor): Promise<void> => {
  const { organisation_id, environment_id, user_id } = actor
  const key = `demo ${environment_id}`
  const { rows } = await sql<{ begun: boolean }>`select exists (
      select 1 from publications where environment_id = ${environment_id}
    ) and not exists (select 1 from graphile_worker.jobs where key = ${key}) as begun`.execute(tx)
  if (rows[0]!.begun)
    throw conflict('environment', 'holds publications already; the demo is for an empty one', 'NotEmpty')
  const asked: Asked = { organisation_id, environment_id, user_id }
  await sql`select graphile_worker.add_job('studio:load-demo', ${JSON.stringify(asked)}::json,
    job_key => ${key}, job_key_mode => 'unsafe_dedupe', max_attempts => 3)`.execute(tx)
}

/** What needs a secret to be told, users and tokens, is left to the command line. */
const without = new Set(['users', 'tokens'])

/** Each step adds what is missing, so a load that was cut goes on where it was. */
export const loadDemo = async (context: Context, { environment_id, user_id }: Asked): Promise<void> => {
  const { steps } = await import('../../seed/steps.ts')
  const { environment: demo } = await import('../../seed/harbour-fm.ts')
  const found = await context.db
    .selectFrom('environments')
    .selectAll()
    .where('id', '=', environment_id)
    .executeTakeFirst()
  if (!found) return
  const locales = [...new Set([...found.locales, ...demo.locales])]
  const environment = await transaction(context, (tx) =>
    changeEnvironment(tx, actorIn(found, user_id), found.id, { locales }, undefined),
  )
  const actor = actorIn(environment, user_id)
  for (const { title, run } of steps)
    if (!without.has(title)) await transaction(context, (tx) => run(tx, actor, { tokens: [] }, context))
}

const actorIn = (environment: EnvironmentRow, user_id: string | null): Actor => {
  const { organisation_id, id: environment_id } = environment
  const whose = { organisation_id, environment_id, user_id, person_key: null }
  const token = { id: 'demo', kind: 'studio', scopes: new Set(scopes), visibility: 'all', session_id: null }
  return { ...whose, token_id: null, environment, token: { ...token, ...whose } as Actor['token'] }
}
