import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import { checkVersion, type Expected } from '../../database/records.ts'
import { outdateTokens, touch } from '../../database/transaction.ts'
import { invalid, NotFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { Keys } from '../../secrets.ts'
import type { Actor } from '../access/authenticate.ts'
import { messagesOf } from '../messages/erase.ts'
import { renameSenders } from '../messages/sender-text.ts'
import { removeRow, tellErased } from './erase/commands.ts'
import { holdForErasure } from './erase/hold.ts'
import type { Counts } from './erase/traces.ts'
import { rememberMerge } from './merge-memory.ts'
import { mergedPerson } from './merged.ts'
import { personSnapshot } from './present.ts'
import { findPersons } from './queries.ts'
import { savePerson } from './save.ts'
import type { Person } from './table.ts'

/** Makes one person of two: everything the other has or did becomes this one's, and the other is erased. */
export const mergePersons = async (
  tx: Tx,
  keys: Keys,
  actor: Actor,
  id: string,
  otherId: string,
  expected?: Expected,
): Promise<Person> => {
  if (id === otherId) throw invalid('person.id', 'is the same person')
  await holdForErasure(tx, actor.environment_id, [id, otherId])
  const found = await findPersons(tx, actor.environment_id, 'id', [id, otherId], true)
  const kept = found.find((one) => one.id === id)
  const other = found.find((one) => one.id === otherId)
  if (!kept) throw new NotFound('Person', id)
  checkVersion('Person', kept, expected)
  if (!other) throw invalid('person.id', 'is not a person of this environment')
  const messages = await messagesOf(tx, other)
  const moved = await moveAll(tx, kept, other)
  const after = mergedPerson(keys, kept, other)
  await rememberMerge(tx, keys, after, other)
  await removeRow(tx, other)
  const person = await savePerson(tx, actor, kept, after)
  await renameSenders(tx, actor.environment_id, [person])
  // What was told of the other's messages names the other.
  await tellErased(tx, actor, other, 'merged', { erased: {}, kept: moved }, messages)
  await emit(tx, actor, 'person.changed', person, personSnapshot(person))
  return person
}

/** What names the other by its key, and has no place in the person itself. */
const movable = {
  remarks: 'remarks',
  sessions: 'person_sessions',
  tokens: 'tokens',
  messages: 'messages',
  comments: 'comments',
  assets: 'assets',
}

/** Interactions may be a million, and more may be on their way: they follow with the next folds. */
const moveAll = async (tx: Tx, kept: Person, other: Person): Promise<Counts> => {
  const { environment_id } = kept
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from interactions
    where environment_id = ${environment_id} and person_key = ${other.key}`.execute(tx)
  const counts: Counts = { interactions: rows[0]!.count }
  for (const [name, table] of Object.entries(movable)) {
    const { numAffectedRows } = await sql`update ${sql.table(table)} set person_key = ${kept.key}
      where environment_id = ${environment_id} and person_key = ${other.key}`.execute(tx)
    counts[name] = Number(numAffectedRows)
  }
  await sql`update recommendation_impressions set person_key = ${kept.key}
    where environment_id = ${environment_id} and person_key = ${other.key}`.execute(tx)
  outdateTokens(tx)
  touch(tx, environment_id, 'messages', kept.id)
  await sql`insert into person_links (environment_id, person_key, kind, publication_id, created_on)
    select environment_id, ${kept.key}, kind, publication_id, created_on from person_links
    where environment_id = ${environment_id} and person_key = ${other.key} on conflict do nothing`.execute(tx)
  await sql`insert into notifications (environment_id, person_key, publication_id, state, created_on, changed_on)
    select environment_id, ${kept.key}, publication_id, state, created_on, changed_on from notifications
    where environment_id = ${environment_id} and person_key = ${other.key} on conflict do nothing`.execute(tx)
  await moveFacts(tx, kept, other)
  return counts
}

const moveFacts = async (tx: Tx, { environment_id, key }: Person, other: Person): Promise<void> => {
  await sql`update person_facts kept set labels = kept.labels | other.labels,
      last_seen = greatest(kept.last_seen, other.last_seen)
    from person_facts other where kept.environment_id = ${environment_id} and kept.person_key = ${key}
      and other.environment_id = ${environment_id} and other.person_key = ${other.key}`.execute(tx)
}
