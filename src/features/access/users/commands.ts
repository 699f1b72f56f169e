import { randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../../../database/connect.ts'
import { emit, type Performer } from '../../../events.ts'
import { hashPassword } from '../../../secrets.ts'
import type { Role, UserRow } from '../table.ts'
import { presentUser } from './present.ts'

export type NewUser = { email: string; name: string; password: string | null; role: Role }

export const createUser = async (
  tx: Tx,
  by: Performer,
  { email, name, password, role }: NewUser,
): Promise<UserRow> => {
  const row = await tx
    .insertInto('users')
    .values({
      id: randomUUIDv7(),
      email,
      name,
      password_hash: password === null ? null : await hashPassword(password),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('memberships')
    .values({ organisation_id: by.organisation_id, user_id: row.id, role })
    .execute()
  await emit(tx, by, 'user.created', row, presentUser({ ...row, role }))
  return row
}
