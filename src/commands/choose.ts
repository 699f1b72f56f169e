import type { Context } from '../context.ts'
import type { Performer } from '../events.ts'
import { Explained } from '../explained.ts'
import type { Actor } from '../features/access/authenticate.ts'
import { scopes } from '../features/access/scopes.ts'
import type { EnvironmentRow, UserRow } from '../features/access/table.ts'

/** The environment that was named, or the only one there is. */
export const chooseEnvironment = async (
  { db }: Context,
  named: string | undefined,
  any = false,
): Promise<EnvironmentRow> => {
  const all = await db.selectFrom('environments').selectAll().orderBy('created_on').execute()
  const fitting = named === undefined ? all : all.filter((row) => row.id === named || row.name === named)
  if (fitting.length === 1 || (any && fitting.length > 0)) return fitting[0]!
  const names = all.map((row) => `${row.name} (${row.id})`).join(', ')
  if (all.length === 0) throw new Explained('There is no environment yet. Start the service once.')
  if (named !== undefined && fitting.length === 0)
    throw new Explained(`No environment is called ${named}. There are: ${names}`)
  throw new Explained(`Say which with --environment: ${names}`)
}

/** The first organisation; the command line serves installations with one. */
export const chooseOrganisation = async ({ db }: Context): Promise<string> => {
  const row = await db.selectFrom('organisations').select('id').orderBy('created_on').executeTakeFirst()
  if (!row) throw new Explained('There is no organisation yet. Start the service once.')
  return row.id
}

export const findUser = async ({ db }: Context, organisationId: string, email: string): Promise<UserRow> => {
  const row = await db
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_id', 'users.id')
    .selectAll('users')
    .where('memberships.organisation_id', '=', organisationId)
    .where((eb) => eb(eb.fn<string>('lower', ['users.email']), '=', email.toLowerCase()))
    .executeTakeFirst()
  if (!row) throw new Explained(`No user has the address ${email}.`)
  return row
}

/** In the audit log the command line is nobody's token. */
export const byCommandLine = (organisation_id: string, environment_id: string | null): Performer => ({
  organisation_id,
  environment_id,
  token_id: null,
  user_id: null,
})

/** Whoever can run commands can do everything; what it does is bounded by the environment it names. */
export const actorOfCommandLine = (environment: EnvironmentRow): Actor => {
  const { organisation_id, id: environment_id } = environment
  return {
    ...byCommandLine(organisation_id, environment_id),
    environment_id,
    person_key: null,
    environment,
    token: {
      id: 'command-line',
      kind: 'organisation',
      organisation_id,
      environment_id,
      scopes: new Set(scopes),
      visibility: 'all',
      user_id: null,
      session_id: null,
      person_key: null,
    },
  }
}
