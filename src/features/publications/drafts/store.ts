import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../../database/connect.ts'
import type { Writer } from '../../../database/records.ts'
import type { PublicationDraftTable } from '../table.ts'

/** One thing that a draft changes, and the version of the draft that last did. */
export type Entry = { value: unknown; version: number }
/** By the name of a column, or `items.<api_id>`. */
export type Entries = Record<string, Entry>
export type DraftRow = Omit<Selectable<PublicationDraftTable>, 'changes'> & { changes: Entries }

export const loadDraft = async (db: Db | Tx, environmentId: string, id: string): Promise<DraftRow[]> => {
  const { rows } = await sql<DraftRow>`select * from publication_drafts
    where environment_id = ${environmentId} and publication_id = ${id} order by locale`.execute(db)
  return rows
}

/** Of a draft as a whole. It only ever rises, because rows stay when their changes go. */
export const draftVersion = (rows: DraftRow[]): number => Math.max(0, ...rows.map(({ version }) => version))

export const isOpen = ({ changes }: Pick<DraftRow, 'changes'>): boolean => Object.keys(changes).length > 0

export const storeDraft = async (
  tx: Tx,
  { environment_id, user_id }: Writer,
  id: string,
  version: number,
  changes: Record<string, Entries>,
): Promise<void> => {
  const locales = Object.keys(changes)
  if (locales.length === 0) return
  const texts = locales.map((locale) => JSON.stringify(changes[locale]))
  await sql`insert into publication_drafts
      (environment_id, publication_id, locale, changes, version, created_by, updated_by, changed_on)
    select ${environment_id}, ${id}, locale, changes::jsonb, ${version}::integer, ${user_id}, ${user_id}, now()
    from unnest(${locales}::text[], ${texts}::text[]) as sent (locale, changes)
    on conflict (environment_id, publication_id, locale) do update set changes = excluded.changes,
      version = excluded.version, updated_by = excluded.updated_by, changed_on = excluded.changed_on`.execute(
    tx,
  )
}
