import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import type { Keys } from '../../secrets.ts'
import type { Actor } from '../access/authenticate.ts'
import { foldEmail, personByEmail } from '../persons/by-email.ts'
import { foldPhone, keyByPhone } from '../persons/by-phone.ts'
import { createPerson } from '../persons/commands.ts'
import { findPersons } from '../persons/queries.ts'
import { personBySession } from '../persons/sessions.ts'
import type { Person } from '../persons/table.ts'
import type { MessageBody } from './schema.ts'

type Said = Pick<MessageBody, 'session_hash' | 'email' | 'phone' | 'nickname' | 'label'>

/**
 * Who sends a message: whose session it is, else who has the address, else who has the number, else somebody new. Without
 * any of them nobody is known.
 */
export const findSender = async (tx: Tx, keys: Keys, actor: Actor, said: Said): Promise<Person | null> => {
  const { environment_id } = actor
  if (said.session_hash != null) {
    const person = await personBySession(tx, environment_id, said.session_hash)
    return person ? held(tx, environment_id, person.key) : null
  }
  if (said.email == null && said.phone == null) return null
  const known = await findKnown(tx, environment_id, said)
  if (known) return known
  await waitInTurn(tx, environment_id, said)
  return (await findKnown(tx, environment_id, said)) ?? addSender(tx, keys, actor, said)
}

/** As it is now, and so until the commit: an erasure comes before or after, never between. */
const held = async (tx: Tx, environmentId: string, key: string): Promise<Person | null> =>
  (await findPersons(tx, environmentId, 'key', [key], true))[0] ?? null

const findKnown = async (tx: Tx, environmentId: string, { email, phone }: Said): Promise<Person | null> => {
  const byEmail = email == null ? undefined : await personByEmail(tx, environmentId, foldEmail(email))
  const key = byEmail?.key ?? (phone == null ? undefined : await keyByPhone(tx, environmentId, phone))
  const person = key === undefined ? null : await held(tx, environmentId, key)
  const isStill =
    person?.emails.some((one) => email != null && foldEmail(one.email) === foldEmail(email)) ||
    person?.phones.some((one) => phone != null && foldPhone(one.phone) === foldPhone(phone))
  return isStill ? person : null
}

/** Of many messages that come at once from somebody new the first makes the person. */
const waitInTurn = async (tx: Tx, environmentId: string, { email, phone }: Said): Promise<void> => {
  const names = [email == null ? [] : foldEmail(email), phone == null ? [] : foldPhone(phone)].flat()
  for (const name of names.sort())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${environmentId} sender ${name}`}, 0))`.execute(
      tx,
    )
}

const addSender = (tx: Tx, keys: Keys, actor: Actor, { nickname, email, phone, label }: Said) =>
  createPerson(tx, keys, actor, {
    nickname: nickname ?? null,
    source: label,
    ...(email != null && { emails: [{ email }] }),
    ...(phone != null && { phones: [{ phone }] }),
  })
