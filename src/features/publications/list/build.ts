import { sql } from 'kysely'
import type { Test } from '../../../database/filters.ts'
import { type FacetKind, facet } from '../facets.ts'
import type { Structure } from '../structure.ts'
import { type Atom, facetAtom, idAtom, localAtom, rowAtom } from './atoms.ts'
import type { Looking } from './compile.ts'
import { bigints } from './conditions.ts'
import type { FieldName } from './fields.ts'
import type { LexemesOf } from './lexemes.ts'
import type { IdsOf } from './names.ts'
import { wordsAtom } from './search.ts'

/** What is known when the tests of a filter become conditions. */
export type Compiling = Looking & {
  structure: Structure
  /** Those that words are searched in. */
  locales: readonly string[]
  idsOf: IdsOf
  lexemesFor(test: Test): LexemesOf
}

type Build = (compiling: Compiling, test: Test) => Atom[]

/** How each field is looked for, one line per field. */
const builders: Record<FieldName, Build> = {
  id: (_compiling, { operator, value }) => [idAtom(operator, value)],
  model: (compiling, test) => found(compiling, test, 'publication', 'model'),
  status: (compiling, test) => found(compiling, test, 'locale', 'status', statusIds),
  locales: (compiling, test) =>
    compiling.visibility === 'published'
      ? [shownIn(compiling, test)]
      : found(compiling, test, 'publication', 'locale'),
  created_by: (compiling, test) => found(compiling, test, 'publication', 'created_by'),
  assigned_to: (compiling, test) => found(compiling, test, 'locale', 'assigned_to'),
  channels: (compiling, test) => found(compiling, test, 'publication', 'channel'),
  containers: (compiling, test) => found(compiling, test, 'publication', 'container'),
  tags: (compiling, test) =>
    test.operator === 'has' ? [marked(compiling, test, 'tagged')] : found(compiling, test, 'locale', 'tag'),
  published: (compiling, test) => [marked(compiling, test, 'published')],
  slug: (_compiling, { operator, value }) => [localAtom('slug', operator, value)],
  publish_on: (_compiling, { operator, value }) => [localAtom('publish_on', operator, value)],
  expire_on: (_compiling, { operator, value }) => [localAtom('expire_on', operator, value)],
  created_on: (_compiling, { operator, value }) => [rowAtom('created_on', operator, value)],
  changed_on: (_compiling, { operator, value }) => [rowAtom('changed_on', operator, value)],
  q: (compiling, test) => [wordsAtom('search', searchedBy(compiling), compiling.lexemesFor(test))],
  title: (compiling, test) => [wordsAtom('title_search', searchedBy(compiling), compiling.lexemesFor(test))],
}

export const searchedBy = ({ environment, locales }: Compiling) => ({
  environmentId: environment.id,
  locales,
})

export const atomsOf: Build = (compiling, test) => builders[test.name as FieldName](compiling, test)

type Ids = (compiling: Compiling, test: Test, name: string) => string[]

const named: Ids = ({ idsOf }, test, name) => idsOf(test, name)

const statusIds: Ids = ({ structure }, _test, name) => {
  const status = structure.findStatus({ id: name }) ?? structure.findStatus({ body: name })
  return status ? [status.id] : []
}

/** Names stand for any number of ids; what must all be there is asked name by name. */
const found = (
  compiling: Compiling,
  test: Test,
  of: Atom['of'],
  kind: FacetKind,
  idsOf: Ids = named,
): Atom[] => {
  const each = ([test.value].flat() as string[]).map((name) =>
    idsOf(compiling, test, name).map((id) => facet(compiling.environment.id, kind, id)),
  )
  const groups = test.operator === 'all' ? each : [each.flat()]
  const common = kind === 'status' || kind === 'locale'
  return groups.map((any) => facetAtom(of, any.length === 1 ? { all: any, common } : { any }))
}

const marked = ({ environment }: Compiling, { value }: Test, kind: FacetKind): Atom => {
  const mark = [facet(environment.id, kind)]
  return facetAtom('locale', value ? { all: mark, common: true } : { none: mark })
}

/** Who sees only what is published does not learn that there is an unpublished locale. */
const shownIn = ({ environment }: Compiling, { value }: Test): Atom => {
  const locales = [value].flat() as string[]
  const published = facet(environment.id, 'published')
  return {
    of: 'publication',
    byId: (id, environmentId) => sql`exists (select 1 from publication_locales as shown
      where shown.environment_id = ${environmentId} and shown.id = ${id} and shown.locale = any(${locales}::text[])
        and shown.facets @> ${bigints([published])})`,
    test: (snapshot) =>
      locales.some(
        (one) => Object.hasOwn(snapshot.locales, one) && snapshot.locales[one]!.facets.has(published),
      ),
  }
}
