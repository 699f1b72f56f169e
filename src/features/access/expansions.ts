import { Type } from 'typebox'
import { restOn } from '../../database/basis.ts'
import type { Db } from '../../database/connect.ts'
import type { Expansion, Expansions } from '../../http/expand.ts'
import { base, presentBase } from '../../http/schemas.ts'
import type { Actor } from './authenticate.ts'
import { holds } from './scopes.ts'
import type { UserRow } from './table.ts'

// Nothing is required: braces may leave any of it out.
export const UserReference = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  properties: {
    ...base('User'),
    name: Type.String(),
    email: Type.String({ description: 'With the scope users' }),
  },
})
const EnvironmentReference = Type.Unsafe<object>({
  type: 'object',
  properties: {
    ...base('Environment'),
    name: Type.String(),
    locales: Type.Array(Type.String()),
    default_locale: Type.String(),
    time_zone: Type.String(),
  },
})

/** The users that a page of records names, by one query; null where the user is gone or there was none. */
const userBy = <Name extends string>(name: Name): Expansion<{ [K in Name]: string | null }> => ({
  schema: UserReference,
  inner: ['id', 'created_on', 'changed_on', 'label', 'name', 'email'],
  load: async (db, actor, rows) => {
    const shown = await usersShown(
      db,
      actor,
      rows.map((row) => row[name]),
    )
    return (row) => shown(row[name])
  },
})

/** Users as other records show them. */
export const usersShown = async (
  db: Db,
  actor: Actor,
  ids: (string | null)[],
): Promise<(id: string | null) => object | null> => {
  restOn(actor, 'access')
  const shown = holds(actor.token.scopes, 'users') ? withEmail : withoutEmail
  const users = await usersById(db, ids)
  return (id) => shown(users.get(id ?? ''))
}

const usersById = async (db: Db, ids: (string | null)[]) => {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map<string, UserRow>()
  const rows = await db.selectFrom('users').selectAll().where('id', 'in', wanted).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const withoutEmail = (row: UserRow | undefined) =>
  row ? { ...presentBase('User', row), name: row.name } : null

/** Addresses of the staff are for who may read users. */
const withEmail = (row: UserRow | undefined) => (row ? { ...withoutEmail(row), email: row.email } : null)

/** What every record of an environment can show of its surroundings. */
export const commonExpansions = {
  environment: {
    schema: EnvironmentReference,
    inner: ['id', 'created_on', 'changed_on', 'label', 'name', 'locales', 'default_locale', 'time_zone'],
    load: async (_db, { environment }) => {
      const { name, locales, default_locale, time_zone } = environment
      const body = { ...presentBase('Environment', environment), name, locales, default_locale, time_zone }
      return () => body
    },
  },
  created_by: userBy('created_by'),
  updated_by: userBy('updated_by'),
} satisfies Expansions<{ created_by: string | null; updated_by: string | null }>
