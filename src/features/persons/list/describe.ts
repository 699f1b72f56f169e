import type { Tx } from '../../../database/connect.ts'
import { recordChange } from '../../../database/transaction.ts'
import type { Person } from '../table.ts'

/** A person as the totals of lists see it; dates are epoch milliseconds. */
export type DescribedPerson = {
  id: string
  reference_id: string | null
  created_on: number
  changed_on: number | null
  exclude_until: number | null
  gender: string | null
  date_of_birth: string | null
  has_password: boolean
  tags: string[]
  terms: string[]
  /** Provider and id. */
  accounts: string[]
}

/** Somebody of whom nothing changed that `DescribedPerson` tells. */
export type UnchangedPerson = { id: string; unchanged: true }

const describePerson = (person: Person): DescribedPerson => ({
  id: person.id,
  reference_id: person.reference_id,
  created_on: person.created_on.getTime(),
  changed_on: person.changed_on?.getTime() ?? null,
  exclude_until: person.exclude_until?.getTime() ?? null,
  gender: person.gender,
  date_of_birth: person.date_of_birth,
  has_password: person.password_hash !== null,
  tags: person.tags,
  terms: person.terms.map(({ id }) => id),
  accounts: person.accounts.map(({ provider, id }) => `${provider} ${id}`),
})

/** Tells what a transaction makes of a person, so that the totals of lists can go on; null: it was not, or is no more. */
export const recordPerson = (
  tx: Tx,
  environmentId: string,
  before: Person | null,
  after: Person | null,
): void =>
  recordChange(
    tx,
    environmentId,
    'audience',
    before && describePerson(before),
    after && describePerson(after),
  )

/** Tells that an event about a person, such as `person.liked`, changes nothing that totals rest on. */
export const recordUnchanged = (tx: Tx, environmentId: string, id: string): void => {
  const same: UnchangedPerson = { id, unchanged: true }
  recordChange(tx, environmentId, 'audience', same, same)
}
