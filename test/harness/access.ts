import { randomUUID } from 'node:crypto'
import { transaction } from '../../src/database/transaction.ts'
import type { Role } from '../../src/features/access/table.ts'
import type { NewToken } from '../../src/features/access/tokens/commands.ts'
import { createUser } from '../../src/features/access/users/commands.ts'
import type { TestApp } from './app.ts'

export type TestUser = { id: string; email: string; password: string }

/** A user of the app's organisation, or of another. */
export const addUser = async (
  app: TestApp,
  role: Role = 'editor',
  organisation_id = app.organisation,
): Promise<TestUser> => {
  const email = `${randomUUID()}@example.org`
  const password = `pw-${randomUUID()}`
  const by = { organisation_id, environment_id: null, token_id: null, user_id: null }
  const row = await transaction(app.context, (tx) =>
    createUser(tx, by, { email, name: `The ${role}`, password, role }),
  )
  return { id: row.id, email, password }
}

/** What a call by a token of the whole organisation carries; by default it holds every scope. */
export const byOrganisation = async (app: TestApp, token: Partial<NewToken> = {}) => {
  const { value } = await app.addToken({ ...token, kind: 'organisation' })
  return { token: value, headers: { 'environment-id': app.environment.id } }
}

/** Headers of the Studio's own pages. */
export const ownPage = { origin: 'https://marquee.test', 'x-marquee-csrf': '1' }

/** Signs in as the Studio does: by a session cookie that is exchanged for a short-lived token. */
export const openStudio = async (app: TestApp, user: TestUser, environment_id = app.environment.id) => {
  const { email, password } = user
  const session = await app.post('/sessions', { email, password }, { token: null, headers: ownPage })
  const cookie = session.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  const exchanged = await exchange(app, cookie, environment_id)
  return { session: session.body, cookie, token: exchanged.body.access_token as string }
}

export const exchange = (app: TestApp, cookie: string, environment_id: string, headers = {}) =>
  app.post(
    '/oauth/access_token',
    { grant_type: 'urn:marquee:session', environment_id },
    { token: null, headers: { ...ownPage, cookie, ...headers } },
  )

/** Looks again until it is so, at most for `limit` milliseconds. */
export const eventually = async <T>(look: () => Promise<T | undefined | false>, limit = 5000): Promise<T> => {
  const end = Date.now() + limit
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > end) throw new Error(`not so within ${limit} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
