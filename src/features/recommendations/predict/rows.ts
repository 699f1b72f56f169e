import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import type { PublicationFilter } from '../../publications/list/compile.ts'
import { baseIn, type Listed } from '../../publications/list/home.ts'
import { type ShownRow, shownColumns } from '../../publications/table.ts'

/** Facets as PostgreSQL writes them: made into an array of numbers they took as long as all the rest of a row. */
export type FoundRow = ShownRow & { facets: string | string[] }

/** Without `fields` nothing of the content is shown, which is by far the longest part of a row. */
const shortColumns = ['environment_id', 'id', 'locales', 'state', 'created_on', 'changed_on']
export const columnsFor = (selection: ReadonlyMap<string, unknown>): readonly string[] =>
  selection.size > 0 ? shownColumns : shortColumns

/**
 * Of these publications the first that the list holds. They are found by id alone: said so, no index of what the list
 * asks for is thought of, and however it is asked the plan is the same.
 */
export const foundAmong = async (
  db: Db,
  listed: Listed,
  ids: readonly string[],
  most: number,
  columns: readonly string[],
): Promise<FoundRow[]> => {
  if (ids.length === 0) return []
  const conditions = [...baseIn(listed, 'row'), ...listed.filter.conditionsIn('row', true)]
  const { rows } = await sql<FoundRow>`
    select ${sql.join(columns.map((column) => sql.ref(`row.${column}`)))}, row.facets::text as facets
    from unnest(${[...ids]}::text[]) with ordinality as asked (id, place)
    cross join lateral (select * from publications
      where environment_id = ${listed.environmentId} and id = asked.id offset 0) as row
    where ${sql.join(conditions, sql` and `)} order by asked.place limit ${most}`.execute(db)
  return rows
}

/** Both at once. */
export const joined = (one: PublicationFilter, other: PublicationFilter): PublicationFilter => ({
  conditionsIn: (home, quickly) => [...one.conditionsIn(home, quickly), ...other.conditionsIn(home, quickly)],
  get where() {
    return this.conditionsIn('row')
  },
  matches: (snapshot) => one.matches(snapshot) && other.matches(snapshot),
  conjunction: {
    atoms: [...one.conjunction.atoms, ...other.conjunction.atoms],
    alternatives: [...one.conjunction.alternatives, ...other.conjunction.alternatives],
  },
  titles: one.titles,
  searched: [...one.searched, ...other.searched],
  moving: false,
})
