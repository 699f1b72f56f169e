import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/connect.ts'
import type { Condition } from '../../../database/filters.ts'
import { NotFound } from '../../../errors.ts'
import type { Publication } from '../table.ts'
import { findVersion, publicationAt } from './load.ts'

/** Versions of what is in the trash come back with it. */
export const requireLiving = async (db: Db, environmentId: string, id: string): Promise<void> => {
  const { rows } = await sql`select 1 from publications
    where environment_id = ${environmentId} and id = ${id}`.execute(db)
  if (rows.length === 0) throw new NotFound('Publication', id)
}

/** A publication as one of its versions had it; without a number, the newest. */
export const readVersion = async (
  db: Db | Tx,
  environmentId: string,
  id: string,
  version?: number,
): Promise<Publication> => {
  const condition = version === undefined ? sql`true` : sql`row.version = ${version}`
  const row = await findVersion(db, environmentId, id, sql`${condition} and living.id is not null`)
  if (!row) throw new NotFound('Version', `${id} ${version ?? ''}`)
  return publicationAt(row)
}

/** Versions without their content, numbered as a list of what is only appended wants it. */
export const listedVersions = sql`(select environment_id, publication_id, version::bigint as sequence, version, event,
  state, bulk_operation_id, created_by, created_on from publication_versions)`

export const ofPublication = (environmentId: string, id: string): Condition[] => [
  sql`row.environment_id = ${environmentId}`,
  sql`row.publication_id = ${id}`,
]
