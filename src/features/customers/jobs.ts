import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import { transaction } from '../../database/transaction.ts'
import { foldEmail, personByEmail } from '../persons/by-email.ts'
import { holdPerson } from '../persons/sign-in.ts'
import type { PersonRow } from '../persons/table.ts'
import { write } from './letter.ts'
import { hashOf, linkMinutes, linkOf, temporaryToken } from './links.ts'
import type { SignInRequestRow } from './table.ts'

type Payload = { id: string; environment_id: string; organisation_id: string }

/** Mails a link to the person who has the address. Of an address that nobody has nothing is kept. */
export const mailLink = async (
  context: Context,
  { id, environment_id, organisation_id }: Payload,
): Promise<void> => {
  const { db, keys, config, mail, tokens } = context
  const request = await openRequest(context, environment_id, id)
  if (!request?.email) return
  const email = keys.decrypt(request.email)
  const token = temporaryToken(keys, request)
  const person = await transaction(context, (tx) => give(tx, request, email, token))
  if (!person) return
  const environment = await tokens.environment(environment_id)
  const template = await findTemplate(context, request)
  const values = {
    link: linkOf(config, token),
    email,
    first_name: person.first_name ?? '',
    last_name: person.last_name ?? '',
    environment: environment?.name ?? '',
    minutes: String(linkMinutes),
  }
  const letter = { to: storedAddress(person, email), ...write(template, values) }
  await mail.send({ organisation_id, environment_id, ...letter })
  const noted = oneRequest(db.updateTable('sign_in_requests').set({ email: null }), request)
  const { numUpdatedRows } = await noted.executeTakeFirstOrThrow()
  // A request is gone with its person: what was kept for somebody who was erased meanwhile goes, too.
  if (numUpdatedRows === 0n)
    await mail.discard(
      db,
      sql`environment_id = ${environment_id} and recipient = ${letter.to} and text = ${letter.text}`,
    )
}

const openRequest = (
  { db }: Context,
  environmentId: string,
  id: string,
): Promise<SignInRequestRow | undefined> =>
  db
    .selectFrom('sign_in_requests')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .where('id', '=', id)
    .where('expires_on', '>', new Date())
    .executeTakeFirst()

/** The person is held before the request is written to: whoever erases persons goes in that order, too. */
const give = async (
  tx: Tx,
  request: SignInRequestRow,
  email: string,
  token: string,
): Promise<PersonRow | undefined> => {
  const found = await personByEmail(tx, request.environment_id, email)
  const held = found && (await holdPerson(tx, request.environment_id, found.key))
  // Whoever was anonymized, or gave up the address, while it was being looked for.
  const person = held?.emails.some((one) => foldEmail(one.email) === email) ? held : undefined
  if (person)
    await oneRequest(
      tx.updateTable('sign_in_requests').set({ person_key: person.key, hash: hashOf(token) }),
      request,
    ).execute()
  else await oneRequest(tx.deleteFrom('sign_in_requests'), request).execute()
  return person
}

const oneRequest = <Q extends { where(column: never, operator: never, value: never): Q }>(
  query: Q,
  { environment_id, id }: SignInRequestRow,
): Q =>
  query
    .where('environment_id' as never, '=' as never, environment_id as never)
    .where('id' as never, '=' as never, id as never)

/** As the person's own record has it: of what only looks the same in lower case nothing is sent anywhere. */
const storedAddress = ({ emails }: PersonRow, email: string): string =>
  emails.find((one) => one.email.toLowerCase() === email)?.email ?? email

const findTemplate = ({ db }: Context, { environment_id, template_id }: SignInRequestRow) =>
  db
    .selectFrom('email_templates')
    .selectAll()
    .where('environment_id', '=', environment_id)
    .where('id', '=', template_id ?? '')
    .executeTakeFirst()
