import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connect.ts'
import type { FieldError } from '../../errors.ts'
import type { Keys } from '../../secrets.ts'
import type { Actor } from '../access/authenticate.ts'
import { isThere } from '../assets/queries.ts'
import { ensureTags } from '../tags/ensure.ts'
import { bankAccountFaults } from './bank-accounts.ts'
import { codeFaults } from './confirm-code.ts'
import type { PersonInput } from './input.ts'
import type { Person } from './table.ts'

/** What a generation asks of a body beyond its schema, and what it calls our fields. */
export type Rules = {
  shortestName: number
  nameOf(field: string): string
}

/** Of the unversioned generation. */
export const ownRules: Rules = { shortestName: 0, nameOf: (field) => field }

/** What is wrong with a body that its schema alone cannot tell. */
export const inputFaults = async (
  db: Db | Tx,
  keys: Keys,
  actor: Actor,
  before: Person,
  input: PersonInput,
  { shortestName, nameOf }: Rules,
): Promise<FieldError[]> => {
  const faults = [
    ...shortNames(before, input, shortestName),
    ...futureFaults(input),
    ...bankAccountFaults(keys, before, input.bank_accounts),
    ...codeFaults(keys, before, input.two_factor_code),
    ...(await tagFaults(db, actor, input)),
    ...(await pictureFaults(db, actor, before, input)),
  ]
  return faults.map(({ path, message }) => {
    const [first, ...rest] = path.split('.')
    return { path: [nameOf(first!), ...rest].join('.'), message }
  })
}

const names = ['first_name', 'last_name', 'nickname'] as const

/** What was there already is not judged anew: the other generation may have stored it. */
const shortNames = (before: Person, input: PersonInput, shortest: number): FieldError[] =>
  names
    .filter((name) => {
      const sent = input[name]
      return typeof sent === 'string' && sent !== before[name] && [...sent.trim()].length < shortest
    })
    .map((path) => ({ path, message: `must NOT have fewer than ${shortest} characters` }))

/** Clocks differ by a little. */
const tolerance = 300_000

const futureFaults = (input: PersonInput): FieldError[] =>
  (['created_on', 'last_seen'] as const)
    .filter((name) => (input[name]?.from.getTime() ?? 0) > Date.now() + tolerance)
    .map((path) => ({ path, message: 'must not be in the future' }))

const tagFaults = async (db: Db | Tx, actor: Actor, { tags = [] }: PersonInput): Promise<FieldError[]> => {
  const wanted = tags.flatMap(({ id }, index) => (id === undefined ? [] : [{ id, index }]))
  const nameless = tags.flatMap((tag, index) =>
    tag.id === undefined && tag.body === undefined
      ? [{ path: `tags.${index}`, message: 'needs an id or a body' }]
      : [],
  )
  const known = await knownIds(
    db,
    'tags',
    actor,
    wanted.map(({ id }) => id),
  )
  const unknown = wanted.filter(({ id }) => !known.has(id))
  return [
    ...nameless,
    ...unknown.map(({ index }) => ({
      path: `tags.${index}.id`,
      message: 'is not a tag of this environment',
    })),
  ]
}

/** A picture that is gone since may be sent back as it was read. */
const pictureFaults = async (
  db: Db | Tx,
  actor: Actor,
  before: Person,
  { picture_id }: PersonInput,
): Promise<FieldError[]> => {
  if (!picture_id || picture_id === before.picture_id) return []
  const known = await knownIds(db, 'assets', actor, [picture_id])
  return known.has(picture_id)
    ? []
    : [{ path: 'profile_photo', message: 'is not an asset of this environment' }]
}

const knownIds = async (
  db: Db | Tx,
  table: 'tags' | 'assets',
  { environment_id }: Actor,
  ids: string[],
): Promise<Set<string>> => {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
    where environment_id = ${environment_id} and id = any(${ids})
      and ${table === 'assets' ? isThere : sql`true`}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The ids of the tags that were sent; those sent by body are made where they are missing. */
export const tagsOf = async (
  tx: Tx,
  actor: Actor,
  before: string[],
  tags: PersonInput['tags'],
): Promise<string[]> => {
  if (!tags) return before
  const bodies = tags.flatMap(({ id, body }) => (id === undefined && body !== undefined ? [body] : []))
  const made = bodies.length === 0 ? [] : await ensureTags(tx, actor, bodies)
  const ids = new Set([...tags.flatMap(({ id }) => id ?? []), ...made.map(({ id }) => id)])
  const isSame = ids.size === before.length && before.every((id) => ids.has(id))
  return isSame ? before : [...ids].sort()
}
