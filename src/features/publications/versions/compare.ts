import type { Db } from '../../../database/connect.ts'
import type { Actor } from '../../access/authenticate.ts'
import { linkedLocales } from '../facets.ts'
import { loadReferences } from '../fields/present.ts'
import { describePublication, referencesIn } from '../present/describe.ts'
import { shownOf } from '../present/shown.ts'
import type { View } from '../present/view.ts'
import type { Publication } from '../table.ts'

type Difference = { path: string; before: unknown; after: unknown }

/** What a reader would see differ between two states of a publication, field by field. */
export const differencesOf = async (
  db: Db,
  actor: Actor,
  view: View,
  before: Publication,
  after: Publication,
): Promise<Difference[]> => {
  const references = await loadReferences(db, actor, [before, after].flatMap(referencesIn))
  const factsOf = (publication: Publication) => {
    const { row } = shownOf(publication, actor, view)
    return flatten(describePublication(row, publication, view.structure, references), publication)
  }
  const [then, now] = [factsOf(before), factsOf(after)]
  return [...new Set([...then.keys(), ...now.keys()])]
    .filter((path) => !isSame(then.get(path), now.get(path)))
    .map((path) => ({ path, before: then.get(path) ?? null, after: now.get(path) ?? null }))
}

const perLocale = ['slug', 'status', 'publish_on', 'expire_on'] as const

/** Path → what is shown there, the paths as a write would name them. */
const flatten = (
  shown: ReturnType<typeof describePublication>,
  publication: Publication,
): Map<string, unknown> => {
  const { model, channels, containers, locales } = shown
  const facts = new Map<string, unknown>(Object.entries({ model, channels, containers, locales }))
  for (const locale of linkedLocales(publication)) {
    for (const name of perLocale) facts.set(`${name}.${locale}`, shown[name][locale])
    const { assigned_to } = publication.locales[locale]!
    facts.set(`assigned_to.${locale}`, assigned_to === null ? null : { id: assigned_to })
    for (const [api_id, value] of Object.entries(shown.items[locale] ?? {}))
      facts.set(`items.${locale}.${api_id}`, value)
  }
  return facts
}

/** When a value was made or changed, and which of several equal ones it is, says nothing about what it says. */
const isSame = (one: unknown, other: unknown): boolean => said(one) === said(other)

const said = (fact: unknown): string => {
  const content =
    typeof fact === 'object' && fact !== null && !Array.isArray(fact) && 'created_on' in fact
      ? { ...fact, id: undefined }
      : fact
  return JSON.stringify(content ?? null, (name, value) =>
    name === 'created_on' || name === 'changed_on' ? undefined : value,
  )
}
