import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import type { PublicationFilter } from '../../publications/list/compile.ts'
import { baseIn, type Listed } from '../../publications/list/home.ts'
import { shownColumns } from '../../publications/list/list.ts'
import type { ShownRow } from '../../publications/table.ts'

/** With what it is found by, tags among it. */
export type FoundRow = ShownRow & { facets: string[] }

/** Columns with the facets. */
export const foundColumns = [...shownColumns, 'facets'] as const

/** Of these publications the ones that the list holds, in the order of the ids; they are found by nothing else. */
export const rowsAmong = async (db: Db, listed: Listed, ids: readonly string[]): Promise<FoundRow[]> => {
  if (ids.length === 0) return []
  const columns = sql.join(foundColumns.map((column) => sql.ref(`row.${column}`)))
  const conditions = [...baseIn(listed, 'row'), ...listed.filter.conditionsIn('row', true)]
  // Said so, the index of facets is not thought of: the few rows are there already.
  const { rows } = await sql<FoundRow>`
    select * from (select ${columns} from publications as row
      where row.environment_id = ${listed.environmentId} and row.id = any(${[...ids]}::text[]) offset 0) as row
    where ${sql.join(conditions, sql` and `)}`.execute(db)
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => found.get(id) ?? [])
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
