import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { transaction } from '../../database/transaction.ts'
import { createEnvironment, createOrganisation } from './environments/commands.ts'
import { scopes } from './scopes.ts'
import { createToken } from './tokens/commands.ts'
import { createUser } from './users/commands.ts'

export type FirstAccess = { email: string; password: string; token: string }

/** A first organisation, environment, user and token, where there is none; what it says is said only once. */
export const bootstrap = (context: Context): Promise<FirstAccess | undefined> =>
  transaction(context, async (tx) => {
    const { config } = context
    await tx.selectFrom('event_sequence').selectAll().forUpdate().execute()
    if (await tx.selectFrom('organisations').select('id').limit(1).executeTakeFirst()) return undefined
    const organisation_id = await createOrganisation(tx, 'My organisation')
    const by = { organisation_id, environment_id: null, token_id: null, user_id: null }
    const { id } = await createEnvironment(tx, by, { name: 'Main' })
    const password = config.adminPassword ?? randomBytes(12).toString('base64url')
    const user = await createUser(tx, by, {
      email: config.adminEmail,
      name: 'Admin',
      password,
      role: 'owner',
    })
    const { value } = await createToken(
      tx,
      { ...by, environment_id: id },
      {
        kind: 'environment',
        name: 'First token',
        scopes,
        user_id: user.id,
        ...(config.bootstrapToken && { value: config.bootstrapToken }),
      },
    )
    return { email: user.email, password, token: value }
  })
