import type { Snapshot } from '../snapshot.ts'
import type { Atom, Conjunction } from './atoms.ts'

/** The same filter for publications in memory. */
export const matcherOf = (
  filter: Conjunction,
  locale: string | undefined,
): ((snapshot: Snapshot) => boolean) => {
  const test = conjunctionTest(filter, locale)
  return locale === undefined ? test : (snapshot) => Object.hasOwn(snapshot.locales, locale) && test(snapshot)
}

const conjunctionTest = (
  { atoms, alternatives }: Conjunction,
  locale: string | undefined,
): ((snapshot: Snapshot) => boolean) => {
  const own = atoms.filter(({ of }) => of === 'publication')
  const ofLocales = atoms.filter(({ of }) => of === 'locale')
  const others = alternatives.map((list) => list.map((one) => conjunctionTest(one, locale)))
  return (snapshot) =>
    own.every(({ test }) => test(snapshot, '')) &&
    inSomeLocale(ofLocales, snapshot, locale) &&
    others.every((list) => list.some((test) => test(snapshot)))
}

const inSomeLocale = (atoms: Atom[], snapshot: Snapshot, locale: string | undefined): boolean => {
  if (atoms.length === 0) return true
  const locales = locale === undefined ? Object.keys(snapshot.locales) : [locale]
  return locales.some((one) => atoms.every(({ test }) => test(snapshot, one)))
}
