import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../database/connect.ts'
import type { Expected } from '../../database/records.ts'
import { Invalid } from '../../errors.ts'
import { emit } from '../../events.ts'
import { hashPassword, type Keys } from '../../secrets.ts'
import type { Actor } from '../access/authenticate.ts'
import { applyInput, blankPerson } from './apply.ts'
import { applyBankAccounts } from './bank-accounts.ts'
import { confirmCode } from './confirm-code.ts'
import type { PersonInput } from './input.ts'
import { inputFaults, ownRules, type Rules, tagsOf } from './look-up.ts'
import { personSnapshot } from './present.ts'
import { applyTokens, refuseUnconfigured } from './provider-tokens.ts'
import { lockPerson } from './queries.ts'
import { savePerson } from './save.ts'
import { signOutPerson } from './sessions.ts'
import type { Person } from './table.ts'

export const createPerson = async (
  tx: Tx,
  keys: Keys,
  actor: Actor,
  input: PersonInput,
  rules: Rules = ownRules,
): Promise<Person> => {
  const hash = await hashOf(input)
  const after = await applyAll(tx, keys, actor, blankPerson(actor, input.id), input, hash, rules)
  refuseUnconfigured(input.provider_tokens, rules.nameOf)
  const person = await savePerson(tx, actor, null, after)
  await emit(tx, actor, 'person.created', person, personSnapshot(person))
  return person
}

export const changePerson = async (
  tx: Tx,
  keys: Keys,
  actor: Actor,
  id: string,
  input: PersonInput,
  expected?: Expected,
  rules: Rules = ownRules,
): Promise<Person> => {
  const hash = await hashOf(input)
  const before = await lockPerson(tx, actor.environment_id, id, expected)
  const after = await applyAll(tx, keys, actor, before, input, hash, rules)
  // Whoever knew the old password is not to stay.
  if (hash !== undefined) await signOutPerson(tx, actor.environment_id, before.key)
  return replacePerson(tx, actor, before, after)
}

/** Saves what a locked person has become, and tells of it, unless it is what it was. */
export const replacePerson = async (tx: Tx, actor: Actor, before: Person, after: Person): Promise<Person> => {
  if (isDeepStrictEqual(before, after)) return before
  const person = await savePerson(tx, actor, before, after)
  await emit(tx, actor, 'person.changed', person, personSnapshot(person))
  return person
}

/** What a person becomes; throws what is wrong with the input. Tags that are missing are made. */
export const applyAll = async (
  tx: Tx,
  keys: Keys,
  actor: Actor,
  before: Person,
  input: PersonInput,
  hash: string | null | undefined,
  rules: Rules,
): Promise<Person> => {
  const faults = await inputFaults(tx, keys, actor, before, input, rules)
  if (faults.length > 0) throw new Invalid(faults)
  const now = new Date()
  return {
    ...applyInput(before, input, now),
    bank_accounts: applyBankAccounts(keys, before, input.bank_accounts, now),
    provider_tokens: applyTokens(keys, before, input.provider_tokens),
    password_hash: hash === undefined ? before.password_hash : hash,
    ...confirmCode(keys, before, input.two_factor_code),
    tags: await tagsOf(tx, actor, before.tags, input.tags),
  }
}

/** Made before anything is locked: it takes long on purpose. */
export const hashOf = async ({ password }: PersonInput): Promise<string | null | undefined> =>
  typeof password === 'string' ? hashPassword(password) : password
