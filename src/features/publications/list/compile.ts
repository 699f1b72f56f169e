import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connect.ts'
import { type Condition, type Filter, readFilter, type Test } from '../../../database/filters.ts'
import type { Problem } from '../../../database/values.ts'
import { Invalid } from '../../../errors.ts'
import type { EnvironmentRow, Visibility } from '../../access/table.ts'
import { facet } from '../facets.ts'
import type { Snapshot } from '../snapshot.ts'
import { type Structure, structureOf } from '../structure.ts'
import { type Atom, type Conjunction, facetAtom, type Home, publishedAtoms } from './atoms.ts'
import { atomsOf, type Compiling, searchedBy } from './build.ts'
import { conditionsIn } from './conditions.ts'
import { findItemField, publicationFilters, settleNames } from './fields.ts'
import { itemAtom, readItemTest } from './items.ts'
import { findLexemes } from './lexemes.ts'
import { type ListLocale, mainLocale, ownFacet } from './locale.ts'
import { matcherOf } from './matches.ts'
import { findIds, testsOf } from './names.ts'
import { shortTitleAtom, wordsAtom } from './search.ts'
import { configurationOf } from './words.ts'

/** Who looks, and at which locale. */
export type Looking = {
  environment: Pick<EnvironmentRow, 'id' | 'locales'>
  visibility: Visibility
  locale?: ListLocale
  /** Only what is published at that time, from now on, whoever looks. */
  at?: Date | undefined
}

/** All that a filter comes to, for the database and for publications in memory. */
type Compiled = {
  /** Over either table. Among locales each row answers for itself, and the caller says which locale is meant. */
  conditionsIn(home: Home, quickly?: boolean): Condition[]
  matches(snapshot: Snapshot): boolean
}

export type PublicationFilter = Compiled & {
  /** Over `publications as row`. */
  where: Condition[]
  conjunction: Conjunction
  /** Where words are searched for: what has them in its title, and what has nothing else there. */
  titles: { some: Compiled; whole: Compiled } | undefined
  /** What the words that are searched for came to. */
  searched: string[][]
  /** Whether what it finds changes without any change to publications. */
  moving: boolean
}

/** A filter of publications, for the database and for publications in memory; every fault of it is told at once. */
export const compilePublicationFilter = async (
  context: Pick<Context, 'db' | 'remember'>,
  looking: Looking,
  input: Record<string, unknown>,
): Promise<PublicationFilter> => (await preparePublicationFilter(context, looking, input))()

/** The same, to be compiled with whatever else publications shall fulfil. */
export const preparePublicationFilter = async (
  context: Pick<Context, 'db' | 'remember'>,
  looking: Looking,
  input: Record<string, unknown>,
): Promise<(more?: Conjunction) => PublicationFilter> => {
  const { environment, locale } = looking
  const structure = await structureOf(context, environment.id)
  const problems: Problem[] = []
  const read = readPublicationFilter(input, locale, problems)
  const items = readItems(read, structure, environment.locales, problems)
  checkLocale(environment, locale, problems)
  if (problems.length > 0) throw new Invalid(problems)
  const locales = typeof locale === 'string' ? [locale] : environment.locales
  const [idsOf, lexemesFor] = await Promise.all([
    findIds(context.db, environment.id, read),
    lexemesOfTests(context.db, environment.id, locales, read),
  ])
  const compiling = { ...looking, structure, locales, idsOf, lexemesFor }
  return (more) => compiled(compiling, read, items, more)
}

export const checkLocale = (
  { locales }: { locales: string[] },
  locale: ListLocale,
  problems: Problem[],
): void => {
  if (typeof locale === 'string' && !locales.includes(locale))
    problems.push({ path: 'locale', message: `must be one of ${locales.join(', ')}` })
}

/** What can be told without knowing the environment. */
export const readPublicationFilter = (
  input: Record<string, unknown>,
  locale: unknown,
  problems: Problem[],
): Filter => {
  const filter = readFilter(publicationFilters, settleNames(input), problems, findItemField)
  for (const { name, path } of testsOf(filter))
    if (name === 'slug' && locale === undefined)
      problems.push({ path, message: 'needs a locale, such as locale=en-US: slugs differ by locale' })
  return filter
}

const lexemesOfTests = async (
  db: Db,
  environmentId: string,
  locales: readonly string[],
  filter: Filter,
): Promise<Compiling['lexemesFor']> => {
  const configurations = [...new Set(locales.map(configurationOf))]
  const tests = testsOf(filter).filter(({ operator }) => operator === 'fz')
  const found = await Promise.all(
    tests.map(({ value }) => findLexemes(db, environmentId, configurations, value as string[])),
  )
  return (test) => found[tests.indexOf(test)]!
}

const nothing: Conjunction = { atoms: [], alternatives: [] }

const compiled = (
  compiling: Compiling,
  filter: Filter,
  items: ItemAtoms,
  more: Conjunction = nothing,
): PublicationFilter => {
  const { environment, locale, visibility, locales, lexemesFor } = compiling
  const published = visibility === 'published' ? facet(environment.id, 'published') : undefined
  const asked = conjunctionOf(compiling, filter, items, published)
  const conjunction = {
    atoms: [...asked.atoms, ...more.atoms],
    alternatives: [...asked.alternatives, ...more.alternatives],
  }
  const seen = seenAtoms(compiling, published)
  if (seen.length > 0) seeOnly(conjunction, seen)
  const searches = testsOf(filter).filter(({ operator }) => operator === 'fz')
  const place = placeOf(compiling)
  const ofLocale = placed(conjunction, place)
  return {
    conditionsIn: (home, quickly = false) =>
      conditionsIn(home, home === 'local' ? ofLocale : conjunction, { locale, place, quickly }),
    matches: matcherOf(conjunction, locale, place),
    get where() {
      return this.conditionsIn('row')
    },
    conjunction,
    titles: titlesOf(compiling, filter, seen, place),
    searched: searches.map((test) => locales.map((one) => lexemesFor(test)(configurationOf(one)).query)),
    moving: conjunction.atoms.some(({ moving }) => moving),
  }
}

/** What every locale that answers must fulfil, by who looks and at which time. */
const seenAtoms = ({ at, environment, structure }: Compiling, published: string | undefined): Atom[] => {
  const now = published ? [facetAtom('locale', { all: [published], common: true })] : []
  if (!at) return now
  return [...now, ...publishedAtoms(environment.id, structure.findStatus({ body: 'Done' })!.id, at)]
}

const saidTwice = (conjunction: Conjunction, locale: ListLocale, place: Atom): Compiled => ({
  conditionsIn: (home, quickly = false) => conditionsIn(home, conjunction, { locale, place, quickly }),
  matches: matcherOf(conjunction, locale, place),
})

/** The index of facets and words is told the place too, or it would find rows of other locales and environments. */
const placed = ({ atoms, alternatives }: Conjunction, place: Atom): Conjunction =>
  atoms.length + alternatives.length === 0
    ? { atoms, alternatives }
    : { atoms: [place, ...atoms], alternatives }

const placeOf = ({ environment, locale }: Compiling): Atom => {
  if (locale === undefined)
    return facetAtom('locale', { all: [facet(environment.id, 'environment')], common: true })
  const own = ownFacet(environment.id, locale)
  const common = locale === mainLocale || environment.locales.length <= 3
  return facetAtom('locale', { all: [own], common })
}

/** Words that only an alternative asks for put nothing first. */
const titlesOf = (
  compiling: Compiling,
  { tests }: Filter,
  seen: Atom[],
  place: Atom,
): PublicationFilter['titles'] => {
  const { locales, locale, lexemesFor } = compiling
  const searches = tests.filter(({ operator }) => operator === 'fz').map(lexemesFor)
  if (searches.length === 0) return undefined
  const atoms = [
    ...searches.map((lexemesOf) => wordsAtom('title_search', searchedBy(compiling), lexemesOf)),
    ...seen,
  ]
  const words = searches.reduce(
    (sum, lexemesOf) => sum + lexemesOf(configurationOf(locales[0]!)).groups.length,
    0,
  )
  return {
    some: saidTwice({ atoms, alternatives: [] }, locale, place),
    whole: saidTwice({ atoms: [...atoms, shortTitleAtom(words)], alternatives: [] }, locale, place),
  }
}

const conjunctionOf = (
  compiling: Compiling,
  { tests, alternatives }: Filter,
  items: ItemAtoms,
  published: string | undefined,
): Conjunction => ({
  atoms: tests.flatMap((test) => items.get(test)?.(published) ?? atomsOf(compiling, test)),
  alternatives: alternatives.map((list) =>
    list.map((one) => conjunctionOf(compiling, one, items, published)),
  ),
})

/** Wherever a locale answers for a publication it must be a published one, or its content could be guessed. */
const seeOnly = (conjunction: Conjunction, published: Atom[], isWhole = true): void => {
  const { atoms, alternatives } = conjunction
  if (isWhole || atoms.some(({ of }) => of === 'locale')) atoms.push(...published)
  for (const one of alternatives.flat()) seeOnly(one, published, false)
}

type ItemAtoms = Map<Test, (published: string | undefined) => Atom>

/** What `items.…` asks for is read by the model that the filter names beside it or around it. */
const readItems = (
  { tests, alternatives }: Filter,
  structure: Structure,
  locales: readonly string[],
  problems: Problem[],
  around: string[] = [],
  found: ItemAtoms = new Map(),
): ItemAtoms => {
  const named = tests.flatMap(({ name, value }) => (name === 'model' ? [[value].flat() as string[]] : []))
  const models = named.length > 0 ? [...new Set(named.reduce(common))] : around
  for (const test of tests) {
    if (!test.field.later) continue
    const model = structure.models.get(models[0]!)
    const asked = model && models.length === 1 && readItemTest(test, model, locales, problems)
    if (models.length !== 1)
      problems.push({
        path: test.path,
        message: 'needs a filter by one model beside it, such as model[eq]=…',
      })
    else if (!model) found.set(test, () => facetAtom('publication', { any: [] }))
    else if (asked) found.set(test, (published) => itemAtom(asked, model, published))
  }
  for (const one of alternatives.flat()) readItems(one, structure, locales, problems, models, found)
  return found
}

const common = (one: string[], other: string[]): string[] => one.filter((id) => other.includes(id))
