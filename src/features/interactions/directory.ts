import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { sha256 } from '../../secrets.ts'
import type { Submission } from './receive.ts'

export type Known = { key: string; tracking: boolean }
type Kind = 'id' | 'reference_id' | 'session_hash' | 'key'

/** Persons by what a group of requests calls them by, and publications. */
export type Directory = {
  person(environmentId: string, kind: Kind, value: string): Known | undefined
  learn(environmentId: string, kind: Kind, value: string, person: Known): void
  publication(environmentId: string, id: string): { published: boolean } | undefined
}

/** Values by environment, each once. */
const wanted = () => {
  const seen = new Set<string>()
  const environments: string[] = []
  const values: string[] = []
  return {
    environments,
    values,
    add(environmentId: string, value: string): void {
      const name = `${environmentId} ${value}`
      if (seen.has(name)) return
      seen.add(name)
      environments.push(environmentId)
      values.push(value)
    },
  }
}
type Wanted = ReturnType<typeof wanted>

/** One statement for each way in which something is named, however large the group. */
export const lookUp = async (db: Db, group: Submission[]): Promise<Directory> => {
  const publications = wanted()
  const persons = { id: wanted(), reference_id: wanted(), session_hash: wanted(), key: wanted() }
  for (const { actor, publicationId, items } of group) {
    const { environment_id } = actor
    publications.add(environment_id, publicationId)
    if (actor.person_key !== null) persons.key.add(environment_id, actor.person_key)
    for (const { who } of items)
      for (const kind of ['id', 'reference_id', 'session_hash'] as const)
        if (who[kind] !== undefined) persons[kind].add(environment_id, who[kind])
  }
  const [stored, ...found] = await Promise.all([
    findPublications(db, publications),
    findPersons(db, 'id', persons.id),
    findPersons(db, 'reference_id', persons.reference_id),
    findPersons(db, 'key', persons.key),
    findBySession(db, persons.session_hash),
  ])
  const known = new Map(found.flat())
  return {
    person: (environmentId, kind, value) => known.get(`${kind} ${environmentId} ${value}`),
    learn: (environmentId, kind, value, person) => known.set(`${kind} ${environmentId} ${value}`, person),
    publication: (environmentId, id) => stored.get(`${environmentId} ${id}`),
  }
}

const findPublications = async (db: Db, { environments, values }: Wanted) => {
  const { rows } = await sql<{ environment_id: string; id: string; published: boolean }>`
    select wanted.environment_id, wanted.id, stored.published
    from unnest(${environments}::text[], ${values}::text[]) as wanted (environment_id, id)
    cross join lateral (
      select exists (select 1 from unnest(locales) as locale
        where state -> locale @> '{"published": true}') as published
      from publications where environment_id = wanted.environment_id and id = wanted.id limit 1) stored`.execute(
    db,
  )
  return new Map(rows.map(({ environment_id, id, published }) => [`${environment_id} ${id}`, { published }]))
}

const named = {
  id: sql`id = wanted.value`,
  reference_id: sql`reference_id = wanted.value`,
  key: sql`key = wanted.value::bigint`,
}

type Entry = [name: string, person: Known]

const findPersons = async (
  db: Db,
  kind: keyof typeof named,
  { environments, values }: Wanted,
): Promise<Entry[]> => {
  if (values.length === 0) return []
  const { rows } = await sql<Known & { environment_id: string; value: string }>`
    select wanted.environment_id, wanted.value, found.key, found.tracking
    from unnest(${environments}::text[], ${values}::text[]) as wanted (environment_id, value)
    cross join lateral (
      select key, tracking from persons where environment_id = wanted.environment_id and ${named[kind]}
      limit 1) found`.execute(db)
  return rows.map((row) => [`${kind} ${row.environment_id} ${row.value}`, row])
}

const findBySession = async (db: Db, { environments, values }: Wanted): Promise<Entry[]> => {
  if (values.length === 0) return []
  const { rows } = await sql<Known & { number: number }>`
    select wanted.number::integer, person.key, person.tracking
    from unnest(${environments}::text[], ${values.map(sha256)}::bytea[]) with ordinality
      as wanted (environment_id, hash, number)
    join person_sessions session on session.hash = wanted.hash and session.environment_id = wanted.environment_id
      and session.expires_on > now()
    join persons person on person.environment_id = session.environment_id and person.key = session.person_key`.execute(
    db,
  )
  return rows.map(({ number, ...person }) => [
    `session_hash ${environments[number - 1]} ${values[number - 1]}`,
    person,
  ])
}
