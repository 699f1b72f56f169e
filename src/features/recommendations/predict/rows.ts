import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import type { PublicationFilter } from '../../publications/list/compile.ts'
import { baseIn, type Listed } from '../../publications/list/home.ts'
import type { ShownRow } from '../../publications/table.ts'
import { shownColumns } from '../../publications/table.ts'

/** What ranking needs of a publication: of each that is shown several are looked at, and whole rows are long. */
export type Found = { id: string; facets: string[] }
export const foundColumns = ['id', 'facets'] as const
export type FoundRow = ShownRow & Found

/** Of these publications the ones that the list holds, in the order of the ids; they are found by nothing else. */
export const foundAmong = async (db: Db, listed: Listed, ids: readonly string[]): Promise<Found[]> => {
  if (ids.length === 0) return []
  const conditions = [...baseIn(listed, 'row'), ...listed.filter.conditionsIn('row', true)]
  // Said so, the index of facets is not thought of: the few rows are there already.
  const { rows } = await sql<Found>`
    select id, facets from (select * from publications
      where environment_id = ${listed.environmentId} and id = any(${[...ids]}::text[]) offset 0) as row
    where ${sql.join(conditions, sql` and `)}`.execute(db)
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** The same, whole. */
export const wholeRows = async (
  db: Db,
  environmentId: string,
  found: readonly Found[],
): Promise<Map<string, FoundRow>> => {
  if (found.length === 0) return new Map()
  const columns = sql.join(shownColumns.map((column) => sql.ref(column)))
  const { rows } = await sql<ShownRow>`select ${columns} from publications
    where environment_id = ${environmentId} and id = any(${found.map(({ id }) => id)}::text[])`.execute(db)
  const facets = new Map(found.map((one) => [one.id, one.facets]))
  return new Map(rows.map((row) => [row.id, { ...row, facets: facets.get(row.id)! }]))
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
