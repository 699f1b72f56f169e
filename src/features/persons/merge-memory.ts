import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connect.ts'
import type { Keys } from '../../secrets.ts'
import type { Person } from './table.ts'
import { referenceHash } from './tombstones.ts'

type Whom = Pick<Person, 'environment_id' | 'key'>

/** Remembers who became whom; those who had become the other become the kept one too. */
export const rememberMerge = async (tx: Tx, keys: Keys, kept: Person, other: Person): Promise<void> => {
  const { environment_id, key, reference_id } = other
  const isLost = reference_id !== null && reference_id !== kept.reference_id
  const hash = isLost ? referenceHash(keys, environment_id, reference_id) : null
  await sql`update merged_persons set kept_key = ${kept.key}
    where environment_id = ${environment_id} and kept_key = ${key}`.execute(tx)
  await sql`insert into merged_persons (environment_id, person_key, kept_key, reference_hash)
    values (${environment_id}, ${key}, ${kept.key}, ${hash})`.execute(tx)
}

/** References of those who became an anonymous person lead to it no more; what they did still follows. */
export const forgetMergedReferences = async (tx: Tx, { environment_id, key }: Whom): Promise<void> => {
  await sql`update merged_persons set reference_hash = null
    where environment_id = ${environment_id} and kept_key = ${key}`.execute(tx)
}

/** What has not followed yet belongs to nobody then, and goes. */
export const forgetMerges = async (tx: Tx, { environment_id, key }: Whom): Promise<void> => {
  await sql`delete from merged_persons
    where environment_id = ${environment_id} and kept_key = ${key}`.execute(tx)
}

type Named = { environment_id: string; hash: string }
type Found = Named & { key: string; tracking: boolean }

/** Persons who were kept when others with these references were merged into them. Of two the later merge counts. */
export const keptByReference = async (db: Db, named: Named[]): Promise<Found[]> => {
  const { rows } = await sql<Found>`
    select named.environment_id, named.hash, kept.key, kept.tracking
    from unnest(${named.map(({ environment_id }) => environment_id)}::text[],
      ${named.map(({ hash }) => hash)}::text[]) as named (environment_id, hash)
    cross join lateral (select kept_key from merged_persons
      where environment_id = named.environment_id and reference_hash = named.hash
      order by person_key desc limit 1) merged
    join persons kept on kept.environment_id = named.environment_id and kept.key = merged.kept_key`.execute(
    db,
  )
  return rows
}
