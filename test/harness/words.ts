import { randomUUID } from 'node:crypto'
import { sha256 } from '../../src/secrets.ts'
import type { TestApp } from './app.ts'

const tomorrow = () => new Date(Date.now() + 86_400_000)

/** A session of a person, opened without a password: to make and check one takes long on purpose. */
export const openSession = async (app: TestApp, personId: string): Promise<string> => {
  const secret = randomUUID()
  const { key } = await app.context.db
    .selectFrom('persons')
    .select('key')
    .where('environment_id', '=', app.environment.id)
    .where('id', '=', personId)
    .executeTakeFirstOrThrow()
  await app.context.db
    .insertInto('person_sessions')
    .values({
      environment_id: app.environment.id,
      id: randomUUID(),
      person_key: key,
      hash: sha256(secret),
      expires_on: tomorrow(),
    } as never)
    .execute()
  return secret
}

/** The same of a user. */
export const openUserSession = async (app: TestApp, userId: string): Promise<string> => {
  const secret = randomUUID()
  await app.context.db
    .insertInto('user_sessions')
    .values({ id: randomUUID(), user_id: userId, hash: sha256(secret), expires_on: tomorrow() } as never)
    .execute()
  return secret
}
