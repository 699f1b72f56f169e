import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { emit } from '../../../events.ts'
import type { Actor } from '../../access/authenticate.ts'
import { labelNumber } from '../../interactions/labels.ts'
import { type Link, tellLinks } from '../../interactions/links.ts'
import { store } from '../../interactions/store.ts'
import { recordUnchanged } from '../list/describe.ts'
import { personSnapshot } from '../present.ts'
import { announce } from '../save.ts'
import type { Person } from '../table.ts'

type Kind = Link['kind']

/** The state is set, told and, unless the person is not to be tracked, kept as an interaction; once, however often it is asked for. */
export const setLink = async (
  tx: Tx,
  actor: Actor,
  person: Person,
  kind: Kind,
  publicationId: string,
): Promise<void> => {
  const { environment_id } = actor
  const { rows } = await sql`insert into person_links (environment_id, person_key, kind, publication_id)
    values (${environment_id}, ${person.key}, ${kind}, ${publicationId}) on conflict do nothing returning 1`.execute(
    tx,
  )
  if (rows.length === 0) return
  const link = { person_key: person.key, kind, publication_id: publicationId }
  await tellLinks(tx, environment_id, [{ ...link, actor }])
  if (person.tracking) await keepInteraction(tx, actor, person.key, kind, publicationId)
  else await announce(tx, environment_id, [person])
}

const keepInteraction = (
  tx: Tx,
  actor: Actor,
  key: string,
  label: Kind,
  publicationId: string,
): Promise<void> => {
  const item = {
    id: randomUUIDv7(),
    isGiven: false,
    createdOn: new Date(),
    label,
    number: labelNumber(label),
    value: null,
    recommendationId: null,
    who: {},
  }
  return store(tx, [{ actor, publicationId, items: [item], pathOf: (_, name) => name, keys: [key] }])
}

const reverses = { Like: 'person.unliked', Subscribe: 'person.unsubscribed' }

/** Tells whether there was one. */
export const removeLink = async (
  tx: Tx,
  actor: Actor,
  person: Person,
  kind: Kind,
  publicationId: string,
): Promise<boolean> => {
  const { environment_id } = actor
  const { rows } = await sql`delete from person_links where environment_id = ${environment_id}
    and person_key = ${person.key} and kind = ${kind} and publication_id = ${publicationId} returning 1`.execute(
    tx,
  )
  if (rows.length === 0) return false
  recordUnchanged(tx, environment_id, person.id)
  await announce(tx, environment_id, [person])
  const snapshot = { ...personSnapshot(person), publication: { id: publicationId } }
  await emit(tx, actor, reverses[kind], person, snapshot)
  return true
}
