import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { transaction } from '../../database/transaction.ts'
import type { Actor } from '../access/authenticate.ts'
import { ensurePersons } from '../persons/ensure.ts'
import { keptByReference } from '../persons/merge-memory.ts'
import { idHash, referenceHash } from '../persons/tombstones.ts'
import type { Directory } from './directory.ts'
import type { Who } from './receive.ts'

/** Somebody named by a request who is not there. */
export type Stranger = { actor: Actor; who: Who }

/** Makes those known who were merged into somebody; the others are strangers still. */
export const recognise = async (
  { db, keys }: Context,
  strangers: Stranger[],
  directory: Directory,
): Promise<void> => {
  const named = strangers.flatMap(({ actor: { environment_id }, who: { reference_id } }) =>
    reference_id === undefined
      ? []
      : [{ environment_id, reference_id, hash: referenceHash(keys, environment_id, reference_id) }],
  )
  if (named.length === 0) return
  const references = new Map(named.map(({ hash, reference_id }) => [hash, reference_id]))
  for (const { environment_id, hash, key, tracking } of await keptByReference(db, named))
    directory.learn(environment_id, 'reference_id', references.get(hash)!, { key, tracking })
}

/** Those of them who were deleted and are not to come back. */
export const deletedOf = async ({ db, keys }: Context, strangers: Stranger[]): Promise<Set<Who>> => {
  const hashes = strangers.flatMap(({ actor: { environment_id }, who }) => [
    ...(who.id === undefined ? [] : [{ who, environment_id, hash: idHash(keys, environment_id, who.id) }]),
    ...(who.reference_id === undefined
      ? []
      : [{ who, environment_id, hash: referenceHash(keys, environment_id, who.reference_id) }]),
  ])
  const { rows } = await sql<{ hash: string }>`
    select hash from unnest(${hashes.map(({ environment_id }) => environment_id)}::text[],
      ${hashes.map(({ hash }) => hash)}::text[]) as named (environment_id, hash)
    where exists (select 1 from person_tombstones gone
        where gone.environment_id = named.environment_id and gone.id_hash = named.hash)
      or exists (select 1 from person_tombstones gone
        where gone.environment_id = named.environment_id and gone.reference_hash = named.hash)
      or exists (select 1 from merged_persons merged join person_tombstones gone
          on gone.environment_id = merged.environment_id and gone.person_key = merged.kept_key
        where merged.environment_id = named.environment_id and merged.reference_hash = named.hash)`.execute(
    db,
  )
  const gone = new Set(rows.map(({ hash }) => hash))
  return new Set(hashes.flatMap(({ who, hash }) => (gone.has(hash) ? [who] : [])))
}

/** Makes a person of each reference, once, whoever else does so at the same time. */
export const welcome = async (
  context: Context,
  strangers: Stranger[],
  directory: Directory,
): Promise<void> => {
  const byToken = Map.groupBy(strangers, ({ actor }) => `${actor.environment_id} ${actor.token_id}`)
  for (const own of byToken.values()) {
    const { actor } = own[0]!
    const wanted = own.map(({ who: { id, reference_id } }) => ({
      reference_id: reference_id!,
      ...(id !== undefined && { id }),
    }))
    const persons = await transaction(context, (tx) => ensurePersons(tx, actor, wanted))
    for (const [reference, person] of persons)
      directory.learn(actor.environment_id, 'reference_id', reference, person)
  }
}
