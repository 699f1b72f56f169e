import { recordRoutes } from '../../../http/records.ts'
import type { Routes } from '../../../http/types.ts'
import { addUser, changeUser, removeUser } from './commands.ts'
import { userList } from './filters.ts'
import { presentUser } from './present.ts'
import { findUser } from './queries.ts'
import { User, UserBody, UserChanges } from './schema.ts'

const reading = {
  path: '/users',
  label: 'User',
  record: User,
  list: userList,
  scope: ({ organisation_id }: { organisation_id: string }) => organisation_id,
  find: findUser,
  present: presentUser,
  read: ['users'] as const,
}

export const userRoutes: Routes = (app, context) =>
  recordRoutes(app, context, {
    ...reading,
    create: { scopes: ['users', 'users_publish'], body: UserBody, run: addUser as never },
    change: { scopes: ['users', 'users_publish'], body: UserChanges, run: changeUser as never },
    remove: { scopes: ['users', 'users_publish'], run: removeUser },
  })

export const userRoutesV5: Routes = (app, context) => recordRoutes(app, context, reading)
