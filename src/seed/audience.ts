import { sql } from 'kysely'
import type { Tx } from '../database/connect.ts'
import type { Actor } from '../features/access/authenticate.ts'
import { type InteractionLabel, labelNumber } from '../features/interactions/labels.ts'
import { applyInput, blankPerson } from '../features/persons/apply.ts'
import type { PersonInput } from '../features/persons/input.ts'
import { findPersons } from '../features/persons/queries.ts'
import { savePersons } from '../features/persons/save.ts'
import type { Person } from '../features/persons/table.ts'
import { tags } from './harbour-fm.ts'
import { type DemoPerson, interactionDays, interactions, people } from './people.ts'

/** Written in blocks, past the interface: an audience is imported, not typed. */
const block = 500

export const seedPersons = async (tx: Tx, actor: Actor): Promise<number> => {
  const wanted = people(tags, actor.environment.created_on)
  const ids = await tagIds(tx, actor)
  const references = wanted.map(({ reference_id }) => reference_id)
  const there = await findPersons(tx, actor.environment_id, 'reference_id', references)
  const known = new Set(there.map(({ reference_id }) => reference_id))
  const missing = wanted.filter(({ reference_id }) => !known.has(reference_id))
  await savePersons(
    tx,
    actor,
    missing.map((person) => ({ before: null, after: asPerson(actor, person, ids) })),
  )
  return missing.length
}

const asPerson = (actor: Actor, demo: DemoPerson, ids: Map<string, string>): Person => {
  const { email, phone, city, terms, created_on, last_seen, tags: chosen, ...rest } = demo
  const input: PersonInput = {
    ...rest,
    emails: [{ email, verified: true }],
    phones: phone === null ? [] : [{ phone }],
    addresses: [{ city }],
    terms: terms.map((id) => ({ id, source: 'website' })),
  }
  const person = applyInput({ ...blankPerson(actor), created_on, last_seen }, input, created_on)
  return { ...person, tags: chosen.flatMap((body) => ids.get(body) ?? []) }
}

const tagIds = async (tx: Tx, { environment_id }: Actor): Promise<Map<string, string>> => {
  const rows = await tx
    .selectFrom('tags')
    .select(['id', 'body'])
    .where('environment_id', '=', environment_id)
    .execute()
  return new Map(rows.map(({ id, body }) => [body, id]))
}

export const seedInteractions = async (tx: Tx, actor: Actor): Promise<number> => {
  const { environment_id, environment } = actor
  const until = environment.created_on
  // Months that lie before the first partition.
  await sql`select add_interactions_partition((${until}::timestamptz - make_interval(days => d))::date)
    from generate_series(0, ${interactionDays + 1}, 27) d`.execute(tx)
  const persons = await tx
    .selectFrom('persons')
    .select('key')
    .where('environment_id', '=', environment_id)
    .where('reference_id', 'like', 'demo-%')
    .orderBy('reference_id')
    .execute()
  const wanted = interactions(until)
  let made = 0
  for (let from = 0; from < wanted.length; from += block) {
    const rows = wanted.slice(from, from + block).flatMap(({ person, publication, ...interaction }) => {
      const key = persons[person]?.key
      return key
        ? [{ ...interaction, environment_id, person_key: key, publication_id: publication, value: null }]
        : []
    })
    if (rows.length === 0) continue
    const added = await tx
      .insertInto('interactions')
      .values(rows)
      .onConflict((on) => on.doNothing())
      .returning(['person_key', 'label', 'created_on', 'publication_id'])
      .execute()
    if (added.length > 0) await tellFolder(tx, environment_id, added)
    const likes = added.filter(({ label }) => label === 'Like')
    if (likes.length > 0) await setLikes(tx, environment_id, likes)
    made += added.length
  }
  return made
}

type Added = { person_key: string; label: string; created_on: Date; publication_id: string }

/** Facts and counters follow when the service runs. */
const tellFolder = async (tx: Tx, environment_id: string, added: Added[]): Promise<void> => {
  await tx
    .insertInto('audience_deltas')
    .values({
      environment_id,
      persons: added.map(({ person_key }) => person_key),
      labels: added.map(({ label }) => labelNumber(label as InteractionLabel)),
      seen: added.map(({ created_on }) => created_on),
      publications: added.map(({ publication_id }) => publication_id),
    })
    .execute()
}

/** Who liked something still does. */
const setLikes = async (tx: Tx, environment_id: string, likes: Added[]): Promise<void> => {
  await tx
    .insertInto('person_links')
    .values(likes.map(({ label: _, ...like }) => ({ ...like, environment_id, kind: 'Like' })))
    .onConflict((on) => on.doNothing())
    .execute()
}
