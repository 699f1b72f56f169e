import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import { touch } from '../../database/transaction.ts'
import { emitMany } from '../../events.ts'
import type { Working } from './lock.ts'

/** Who is to come into, or to go out of, which segment. */
export type Move = { segment: string; key: string }
type Moved = Move & { id: string }
type Segment = { id: string; body: string }

/**
 * Puts in and takes out, and tells it. Whoever is being deleted or rewritten at this moment is not waited for but looked
 * at again: waiting for persons in any order but everybody's own could end in a deadlock.
 */
export const moveMembers = async (
  tx: Tx,
  working: Working,
  segments: readonly Segment[],
  moves: { added: Move[]; removed: Move[] },
): Promise<void> => {
  const { id } = working.environment
  const added = moves.added.length > 0 ? await addMembers(tx, id, moves.added) : []
  const removed = moves.removed.length > 0 ? await removeMembers(tx, id, moves.removed) : []
  await tell(tx, working, 'person.segment.added', segments, added)
  await tell(tx, working, 'person.segment.removed', segments, removed)
  await lookAgain(tx, id, [...left(moves.added, added), ...left(moves.removed, removed)])
}

const columns = (moves: Move[]) =>
  sql`unnest(${moves.map(({ segment }) => segment)}::text[], ${moves.map(({ key }) => key)}::bigint[])`

/** Persons that nobody else has, held until the commit, by key. Joined in one statement, 5,000 took a quarter of a minute. */
const holdPersons = async (tx: Tx, environmentId: string, moves: Move[]): Promise<Map<string, string>> => {
  const keys = [...new Set(moves.map(({ key }) => key))]
  const { rows } = await sql<{ key: string; id: string }>`select key, id from persons
    where environment_id = ${environmentId} and key = any(${keys}::bigint[]) for key share skip locked`.execute(
    tx,
  )
  return new Map(rows.map(({ key, id }) => [key, id]))
}

const named = (ids: Map<string, string>, moves: Move[]): Moved[] =>
  moves.map((move) => ({ ...move, id: ids.get(move.key)! }))

const addMembers = async (tx: Tx, environmentId: string, moves: Move[]): Promise<Moved[]> => {
  const ids = await holdPersons(tx, environmentId, moves)
  const free = moves.filter(({ key }) => ids.has(key))
  const { rows } = await sql<Move>`insert into segment_members (environment_id, segment_id, person_key)
    select ${environmentId}, * from ${columns(free)} on conflict do nothing
    returning segment_id as segment, person_key as key`.execute(tx)
  return named(ids, rows)
}

const removeMembers = async (tx: Tx, environmentId: string, moves: Move[]): Promise<Moved[]> => {
  const ids = await holdPersons(tx, environmentId, moves)
  const free = moves.filter(({ key }) => ids.has(key))
  const { rows } = await sql<Move>`delete from segment_members where ctid = any(array(
      select member.ctid from ${columns(free)} as move (segment, key)
      join segment_members member on member.environment_id = ${environmentId}
        and member.segment_id = move.segment and member.person_key = move.key
      for update of member skip locked))
    returning segment_id as segment, person_key as key`.execute(tx)
  return named(ids, rows)
}

/** Nothing of the person but its id: whoever may read persons can read the rest. */
const tell = (
  tx: Tx,
  { environment, isSilent }: Working,
  event: string,
  segments: readonly Segment[],
  moved: Moved[],
): Promise<void> | void => {
  if (isSilent) return moved[0] && touch(tx, environment.id, 'segments', moved[0].id)
  const bodies = new Map(segments.map(({ id, body }) => [id, body]))
  const by = {
    organisation_id: environment.organisation_id,
    environment_id: environment.id,
    token_id: null,
    user_id: null,
  }
  const records = moved.map(({ id, segment }) => ({
    id,
    label: 'Person',
    segment: { id: segment, label: 'Segment', body: bodies.get(segment)! },
  }))
  return emitMany(tx, by, event, records)
}

const left = (wanted: Move[], done: Moved[]): string[] => {
  const known = new Set(done.map(({ segment, key }) => `${segment} ${key}`))
  return wanted.filter(({ segment, key }) => !known.has(`${segment} ${key}`)).map(({ key }) => key)
}

const lookAgain = async (tx: Tx, environmentId: string, keys: string[]): Promise<void> => {
  if (keys.length === 0) return
  await sql`insert into audience_deltas (environment_id, persons)
    values (${environmentId}, ${[...new Set(keys)]}::bigint[])`.execute(tx)
}
