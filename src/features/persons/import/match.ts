import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { conflict, invalid } from '../../../errors.ts'
import { foldEmail } from '../by-email.ts'
import type { PersonInput } from '../input.ts'
import { findPersons } from '../queries.ts'
import type { Person } from '../table.ts'

export const matches = ['id', 'reference_id', 'email'] as const
export type MatchBy = (typeof matches)[number]

/** What a row calls its person. */
export type Names = { [K in MatchBy]: string[] }

export const namesOf = ({ id, reference_id, emails = [] }: PersonInput, match: MatchBy | null): Names => ({
  id: id === undefined ? [] : [id],
  reference_id: reference_id?.trim() ? [reference_id] : [],
  // Several may share an address, so it tells them apart only where the caller says that it does.
  email: match === 'email' ? emails.map(({ email }) => foldEmail(email)) : [],
})

/** What persons are found by, the first that finds one: unless told otherwise the reference, then the id. */
export const matchedBy = (match: MatchBy | null): MatchBy[] => (match ? [match] : ['reference_id', 'id'])

export const allNames = (names: Names): string[] =>
  matches.flatMap((kind) => names[kind].map((name) => `${kind} ${name}`))

/** The persons that go by these names, locked. */
export type Known = { [K in MatchBy]: Map<string, Person[]> }

export const findKnown = async (tx: Tx, environmentId: string, all: Names[]): Promise<Known> => {
  const namesBy = (kind: MatchBy) => [...new Set(all.flatMap((names) => names[kind]))]
  const find = async (column: 'id' | 'reference_id') => {
    const names = namesBy(column)
    const found = names.length === 0 ? [] : await findPersons(tx, environmentId, column, names, true)
    return Map.groupBy(found, (person) => person[column]!)
  }
  return {
    id: await find('id'),
    reference_id: await find('reference_id'),
    email: await findByEmail(tx, environmentId, namesBy('email')),
  }
}

const findByEmail = async (tx: Tx, environmentId: string, emails: string[]): Promise<Known['email']> => {
  if (emails.length === 0) return new Map()
  const { rows } = await sql<{
    email: string
    person_key: string
  }>`select email, person_key from person_emails
    where environment_id = ${environmentId} and email = any(${emails})`.execute(tx)
  const keys = [...new Set(rows.map(({ person_key }) => person_key))]
  const found = keys.length === 0 ? [] : await findPersons(tx, environmentId, 'key', keys, true)
  const pairs = found.flatMap((person) =>
    person.emails.map(({ email }) => ({ email: foldEmail(email), person })),
  )
  const grouped = Map.groupBy(pairs, ({ email }) => email)
  return new Map([...grouped].map(([email, some]) => [email, some.map(({ person }) => person)]))
}

/** Everybody who goes by one of these names. */
export const named = (names: Names, known: Known): Person[] =>
  matches.flatMap((kind) => names[kind].flatMap((name) => known[kind].get(name) ?? []))

const fieldOf = (kind: MatchBy): string => (kind === 'email' ? 'emails' : kind)

export const notTheirs = () => conflict('id', 'is not that of the person who was found')
export const taken = (kind: MatchBy) => conflict(kind, 'is already taken')
export const shared = (kind: MatchBy) => conflict(fieldOf(kind), 'is that of several persons')

/** Whom a row means; null if nobody is there yet. Throws where that cannot be told, or a name is somebody else's. */
export const targetOf = (names: Names, known: Known, match: MatchBy | null): Person | null => {
  if (match && names[match].length === 0)
    throw invalid(fieldOf(match), 'is needed, because persons are matched by it')
  const person = firstFound(names, known, match)
  const [id] = names.id
  if (person && id !== undefined && person.id !== id) throw notTheirs()
  if (!person && id !== undefined && known.id.has(id)) throw taken('id')
  const [holder] = names.reference_id.flatMap((reference) => known.reference_id.get(reference) ?? [])
  if (holder && holder.key !== person?.key) throw taken('reference_id')
  return person
}

const firstFound = (names: Names, known: Known, match: MatchBy | null): Person | null => {
  for (const kind of matchedBy(match)) {
    const found = names[kind].flatMap((name) => known[kind].get(name) ?? [])
    const [first, ...others] = new Map(found.map((person) => [person.key, person])).values()
    if (others.length > 0) throw shared(kind)
    if (first) return first
  }
  return null
}

/** Whoever is found by one address keeps the others. */
export const withOtherEmails = (input: PersonInput, person: Person | null): PersonInput => {
  const sent = new Set(input.emails?.map(({ email }) => foldEmail(email)))
  const others = person?.emails.filter(({ email }) => !sent.has(foldEmail(email))) ?? []
  return { ...input, emails: [...others.map(({ id, email }) => ({ id, email })), ...(input.emails ?? [])] }
}
