import type { Snapshot } from '../snapshot.ts'
import type { Atom, Conjunction } from './atoms.ts'
import { type ListLocale, mainLocale } from './locale.ts'

type Matcher = (snapshot: Snapshot) => boolean
type LocalesOf = (snapshot: Snapshot) => string[]

/** The same filter for publications in memory. `place` tells the rows of its locale from others. */
export const matcherOf = (filter: Conjunction, locale: ListLocale, place: Atom): Matcher => {
  const localesOf = localesIn(locale, place)
  const test = conjunctionTest(filter, localesOf)
  return locale === undefined ? test : (snapshot) => localesOf(snapshot).length > 0 && test(snapshot)
}

const localesIn = (locale: ListLocale, place: Atom): LocalesOf => {
  if (locale === undefined) return ({ locales }) => Object.keys(locales)
  if (locale !== mainLocale) return ({ locales }) => (Object.hasOwn(locales, locale) ? [locale] : [])
  return (snapshot) => Object.keys(snapshot.locales).filter((one) => place.test(snapshot, one))
}

const conjunctionTest = ({ atoms, alternatives }: Conjunction, localesOf: LocalesOf): Matcher => {
  const own = atoms.filter(({ of }) => of === 'publication')
  const ofLocales = atoms.filter(({ of }) => of === 'locale')
  const others = alternatives.map((list) => list.map((one) => conjunctionTest(one, localesOf)))
  return (snapshot) =>
    own.every(({ test }) => test(snapshot, '')) &&
    (ofLocales.length === 0 ||
      localesOf(snapshot).some((one) => ofLocales.every(({ test }) => test(snapshot, one)))) &&
    others.every((list) => list.some((test) => test(snapshot)))
}
