import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { transaction } from '../database/transaction.ts'
import { Explained } from '../explained.ts'
import { scopes as allScopes } from '../features/access/scopes.ts'
import type { TokenRow, Visibility } from '../features/access/table.ts'
import { createToken, renewToken, revokeTokens } from '../features/access/tokens/commands.ts'
import { presentToken } from '../features/access/tokens/present.ts'
import { byCommandLine, chooseEnvironment, findUser } from './choose.ts'
import { say } from './terminal.ts'
import { withContext } from './with-context.ts'

type CreateOptions = {
  name: string
  scopes?: string[]
  allScopes?: true
  visibility?: Visibility
  expires?: Date
  user?: string
  organisation?: true
  environment?: string
}

export const createTokenCommand = (options: CreateOptions): Promise<void> =>
  withContext(async (context) => {
    const scopes = options.allScopes ? allScopes : options.scopes
    if (!scopes) throw new Explained('Say which scopes: --scopes channels,publications or --all-scopes')
    const environment = await chooseEnvironment(context, options.environment, options.organisation)
    const user = options.user ? await findUser(context, environment.organisation_id, options.user) : undefined
    if (!options.allScopes && scopes.includes('content_items_publish') && !user)
      throw new Explained('content_items_publish needs a responsible user: --user <email>')
    const by = byCommandLine(environment.organisation_id, environment.id)
    const { row, value } = await transaction(context, (tx) =>
      createToken(tx, by, {
        kind: options.organisation ? 'organisation' : 'environment',
        name: options.name,
        scopes,
        visibility: options.visibility,
        expires_on: options.expires ?? null,
        user_id: user?.id ?? null,
      }),
    )
    say(`Token ${row.id} (${row.name}), sees ${row.visibility}; the value is shown only now:`)
    console.log(value)
  })

export const listTokensCommand = (options: { environment?: string; json?: true }): Promise<void> =>
  withContext(async (context) => {
    const environment = await chooseEnvironment(context, options.environment)
    const rows = await context.db
      .selectFrom('tokens')
      .selectAll()
      .where('organisation_id', '=', environment.organisation_id)
      .where((eb) => eb.or([eb('environment_id', '=', environment.id), eb('environment_id', 'is', null)]))
      .orderBy('created_on')
      .execute()
    if (options.json) console.log(JSON.stringify(rows.map(presentToken), null, 2))
    else for (const row of rows) console.log(tokenLine(row))
  })

const tokenLine = (row: TokenRow): string => {
  const day = (date: Date | null, none: string) => date?.toISOString().slice(0, 16).replace('T', ' ') ?? none
  const state = row.revoked_on ? 'revoked' : `ends ${day(row.expires_on, 'never')}`
  return [
    row.id,
    row.hint.padEnd(10),
    row.kind.padEnd(12),
    state.padEnd(22),
    `used ${day(row.last_used_on, 'never')}`,
    row.name,
  ].join('  ')
}

const findToken = async ({ db }: Context, id: string): Promise<TokenRow> => {
  const row = await db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new Explained(`No token has the id ${id}. npx marquee token list shows them.`)
  if (row.revoked_on) throw new Explained(`The token ${id} was revoked on ${row.revoked_on.toISOString()}.`)
  return row
}

export const renewTokenCommand = (id: string): Promise<void> =>
  withContext(async (context) => {
    const old = await findToken(context, id)
    const by = byCommandLine(old.organisation_id, old.environment_id)
    const { row, value } = await transaction(context, (tx) => renewToken(tx, by, old))
    say(`Token ${row.id} has the scopes of ${id}, which goes on until it ends or is revoked; shown only now:`)
    console.log(value)
  })

export const revokeTokenCommand = (id: string): Promise<void> =>
  withContext(async (context) => {
    const old = await findToken(context, id)
    const by = byCommandLine(old.organisation_id, old.environment_id)
    await transaction(context, (tx) => revokeTokens(tx, by, sql`id = ${id}`))
    say(`Token ${id} (${old.name}) is revoked.`)
  })
