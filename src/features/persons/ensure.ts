import type { Tx } from '../../database/connect.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { blankPerson } from './apply.ts'
import { recordPerson } from './list/describe.ts'
import { personSnapshot } from './present.ts'
import { findPersons } from './queries.ts'
import { announce, insertPersons } from './save.ts'
import type { Person } from './table.ts'

/** Somebody of whom only the reference is known, perhaps with an id for a person who is not there yet. */
type Wanted = { reference_id: string; id?: string }

/**
 * The persons with these references; missing ones are made. Any number of transactions may ask for the same one at
 * once: one makes it, the others wait for its commit and find it.
 */
export const ensurePersons = async (tx: Tx, actor: Actor, wanted: Wanted[]): Promise<Map<string, Person>> => {
  const references = [...new Set(wanted.map(({ reference_id }) => reference_id))]
  const known = await byReference(tx, actor, references)
  const missing = new Map(
    wanted.flatMap((one) => (known.has(one.reference_id) ? [] : [[one.reference_id, one] as const])),
  )
  if (missing.size === 0) return known
  // In one order, or two that ask for the same persons in another would wait for each other.
  const persons = [...missing.values()]
    .sort((one, other) => (one.reference_id < other.reference_id ? -1 : 1))
    .map(({ id, reference_id }) => ({ ...blankPerson(actor, id), reference_id }))
  const made = await insertPersons(tx, persons, 'is left')
  if (made.length > 0) await announce(tx, actor.environment_id, made)
  for (const person of made) {
    recordPerson(tx, actor.environment_id, null, person)
    await emit(tx, actor, 'person.created', person, personSnapshot(person))
  }
  const ids = new Set(made.map(({ id }) => id))
  const left = persons.filter(({ id }) => !ids.has(id)).map((one) => one.reference_id!)
  const others = left.length === 0 ? [] : await byReference(tx, actor, left)
  return new Map([...known, ...made.map((one) => [one.reference_id!, one] as const), ...others])
}

const byReference = async (tx: Tx, actor: Actor, references: string[]): Promise<Map<string, Person>> => {
  const found = await findPersons(tx, actor.environment_id, 'reference_id', references)
  return new Map(found.map((person) => [person.reference_id!, person]))
}
