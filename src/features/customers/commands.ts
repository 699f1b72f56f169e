import { randomUUIDv7 } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../database/connect.ts'
import { transaction } from '../../database/transaction.ts'
import { type FieldError, Unauthorized } from '../../errors.ts'
import { emit } from '../../events.ts'
import { formats } from '../../formats.ts'
import type { Actor } from '../access/authenticate.ts'
import { personalScopes } from '../access/scopes.ts'
import { createToken } from '../access/tokens/commands.ts'
import { foldEmail } from '../persons/by-email.ts'
import { holdPerson, noteSignIn, type Place, spendPersonCode } from '../persons/sign-in.ts'
import type { PersonRow } from '../persons/table.ts'
import { hashOf, linkMinutes } from './links.ts'
import { allowedRedirects, isAllowed } from './redirects.ts'
import type { SignInRequestBody } from './schema.ts'
import type { SignInRequestRow } from './table.ts'

/** What only the environment can tell of a request; what its schema refuses is not judged here. */
export const requestFaults = async (
  { db, config }: Context,
  { environment, environment_id }: Actor,
  body: { email_template?: { id?: unknown } | null; redirect_url?: unknown },
): Promise<FieldError[]> => {
  const faults: FieldError[] = []
  const { redirect_url } = body ?? {}
  if (
    typeof redirect_url === 'string' &&
    formats['redirect-url'].validate(redirect_url) &&
    !isAllowed(allowedRedirects(config, environment), redirect_url)
  )
    faults.push({
      path: 'redirect_url',
      message: 'is not among the addresses that sign-in links may lead to',
    })
  const id = body?.email_template?.id
  if (typeof id === 'string' && !(await isTemplate(db, environment_id, id)))
    faults.push({ path: 'email_template.id', message: 'is not an email template of this environment' })
  return faults
}

const isTemplate = async (db: Db, environmentId: string, id: string): Promise<boolean> => {
  const found = await db
    .selectFrom('email_templates')
    .select('id')
    .where('environment_id', '=', environmentId)
    .where('id', '=', id)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether the address is anybody's is not looked at here, so that nothing of the answer can tell. */
export const requestSignIn = async (
  tx: Tx,
  { keys }: Context,
  actor: Actor,
  { email, email_template, redirect_url }: SignInRequestBody,
): Promise<SignInRequestRow> => {
  const row = await tx
    .insertInto('sign_in_requests')
    .values({
      environment_id: actor.environment_id,
      id: randomUUIDv7(),
      email: keys.encrypt(foldEmail(email)),
      template_id: email_template?.id ?? null,
      redirect_url,
      expires_on: new Date(Date.now() + linkMinutes * 60_000),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await emit(tx, actor, 'sign_in_request.created', row, { id: row.id, label: 'SignInRequest' })
  return row
}

/** The request that a temporary token was mailed for, while it may still be used. */
export const requestByToken = (db: Db | Tx, token: string): Promise<SignInRequestRow | undefined> =>
  db
    .selectFrom('sign_in_requests')
    .selectAll()
    .where('hash', '=', hashOf(token))
    .where('expires_on', '>', new Date())
    .executeTakeFirst()

type Asked = { ttl: number; two_factor_code: string | null | undefined; place: Place }

/** Of many that come with one temporary token the first takes it; a code that is missing or wrong leaves it as it was. */
export const signInWithMagic = (context: Context, token: string, { ttl, two_factor_code, place }: Asked) =>
  transaction(context, async (tx) => {
    const person = await personOf(tx, token)
    if (person.totp_confirmed && !two_factor_code) throw new Unauthorized('credentials', 'TwoFactorRequired')
    if (person.totp_confirmed && !(await spendPersonCode(tx, context.keys, person, two_factor_code ?? '')))
      throw new Unauthorized('credentials')
    const now = new Date()
    await noteSignIn(tx, person, place, now)
    const { value } = await createToken(tx, await performerIn(tx, person), {
      kind: 'personal',
      name: 'Sign-in',
      scopes: personalScopes,
      visibility: 'published',
      person_key: person.key,
      expires_on: ttl === 0 ? null : new Date(now.getTime() + ttl * 1000),
    })
    return { person, value, now }
  })

/** The person is held first and then the request goes: whoever erases persons does it in that order, too. */
const personOf = async (tx: Tx, token: string): Promise<PersonRow> => {
  const request = await requestByToken(tx, token)
  const person = request?.person_key && (await holdPerson(tx, request.environment_id, request.person_key))
  const taken = await tx
    .deleteFrom('sign_in_requests')
    .where('hash', '=', hashOf(token))
    .returning('id')
    .executeTakeFirst()
  if (!person || !taken) throw new Unauthorized('invalid')
  return person
}

const performerIn = async (tx: Tx, { environment_id }: PersonRow) => {
  const { organisation_id } = await tx
    .selectFrom('environments')
    .select('organisation_id')
    .where('id', '=', environment_id)
    .executeTakeFirstOrThrow()
  return { organisation_id, environment_id, token_id: null, user_id: null }
}
