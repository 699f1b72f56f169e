import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../../database/connect.ts'
import type { Localized, Publication, PublicationVersionTable, StoredItems } from '../table.ts'

/** A version put together, with what its publication was born with. */
export type VersionRow = Omit<Selectable<PublicationVersionTable>, 'items' | 'contents'> & {
  found: Record<string, StoredItems | null>
  born_on: Date
  born_by: string | null
}

/** The content of each locale is its newest at or before the version; `row` is the version. */
export const contentAt = sql`(select jsonb_object_agg(name, (
    select earlier.items -> name from publication_versions as earlier
    where earlier.environment_id = row.environment_id and earlier.publication_id = row.publication_id
      and earlier.version <= row.version and name = any(earlier.contents)
    order by earlier.version desc limit 1))
  from (select '' as name union all select jsonb_object_keys(row.state)) as names)`

/** Of what exists and of what is in the trash. */
export const withBirth = sql`
  left join publications as living on living.environment_id = row.environment_id and living.id = row.publication_id
  left join deleted_publications as dead on dead.environment_id = row.environment_id and dead.id = row.publication_id`

export const versionColumns = sql`row.environment_id, row.publication_id, row.version, row.event, row.label,
  row.model_id, row.channel_ids, row.container_ids, row.locales, row.state, row.bulk_operation_id, row.created_by,
  row.created_on, coalesce(living.created_on, dead.created_on) as born_on,
  case when living.id is null then dead.created_by else living.created_by end as born_by`

/** The newest version that fulfils the condition, in one statement: what prunes versions cannot come between. */
export const findVersion = async (
  db: Db | Tx,
  environmentId: string,
  id: string,
  condition: RawBuilder<unknown>,
): Promise<VersionRow | undefined> => {
  const { rows } = await sql<VersionRow>`select ${versionColumns}, ${contentAt} as found
    from publication_versions as row ${withBirth}
    where row.environment_id = ${environmentId} and row.publication_id = ${id} and ${condition}
    order by row.version desc limit 1`.execute(db)
  return rows[0]
}

/** The publication as it was. */
export const publicationAt = (row: VersionRow): Publication => ({
  id: row.publication_id,
  label: row.label,
  model_id: row.model_id,
  channel_ids: row.channel_ids,
  container_ids: row.container_ids,
  shared: row.found[''] ?? {},
  locales: Object.fromEntries(
    Object.entries(row.state).map(([locale, state]): [string, Localized] => [
      locale,
      { ...state, items: row.found[locale] ?? {}, linked: row.locales.includes(locale) },
    ]),
  ),
  version: row.version,
  created_on: row.born_on,
  changed_on: row.version > 1 ? row.created_on : null,
  created_by: row.born_by,
  updated_by: row.version > 1 ? row.created_by : null,
})
