import type { Tx } from '../../database/connect.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { recordUnchanged } from '../persons/list/describe.ts'
import { personSnapshot } from '../persons/present.ts'
import { findPersons } from '../persons/queries.ts'

/** What a person likes, or is subscribed to, from now on. */
export type Link = { person_key: string; kind: 'Like' | 'Subscribe'; publication_id: string }

const events = { Like: 'person.liked', Subscribe: 'person.subscribed' }

/** Tells of new links of one environment: the person as it is read, and the publication. */
export const tellLinks = async (
  tx: Tx,
  environmentId: string,
  links: (Link & { actor: Actor })[],
): Promise<void> => {
  const keys = [...new Set(links.map(({ person_key }) => person_key))]
  const persons = new Map(
    (await findPersons(tx, environmentId, 'key', keys)).map((person) => [person.key, person]),
  )
  for (const { actor, person_key, kind, publication_id } of links) {
    const person = persons.get(person_key)
    if (!person) continue
    const snapshot = { ...personSnapshot(person), publication: { id: publication_id } }
    recordUnchanged(tx, environmentId, person.id)
    await emit(tx, actor, events[kind], person, snapshot)
  }
}
