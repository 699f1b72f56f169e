import { type RawBuilder, sql } from 'kysely'
import type { Moment } from '../../../database/values.ts'
import type { InteractionLabel } from '../../interactions/labels.ts'
import type { NotificationState } from '../../notifications/table.ts'
import { facet } from '../facets.ts'
import { type Atom, type Conjunction, facetAtom, localAtom } from '../list/atoms.ts'
import { nearAtom } from '../list/near.ts'
import { spansOf } from '../store/places.ts'
import type { Structure } from '../structure.ts'
import type { AskedV5 } from './asked.ts'
import { bodyOfStatus, isExpiredName } from './statuses.ts'

type Place = { environmentId: string; structure: Structure; personKey: string | undefined }

/** What only version 5 asks for. */
export const conjunctionOf = (asked: AskedV5, place: Place, near = asked.near): Conjunction => ({
  atoms: [
    ...datesOf(asked),
    ...eventOf(asked),
    ...(near ? [nearAtom(place.environmentId, near)] : []),
    ...personalOf(asked, place),
  ],
  alternatives: [statusesOf(asked, place), labelsOf(asked, place)].filter((list) => list !== undefined),
})

const one = (...atoms: Atom[]): Conjunction => ({ atoms, alternatives: [] })

/** Done is called published until its time is over. */
const statusesOf = (
  { statuses }: AskedV5,
  { environmentId, structure }: Place,
): Conjunction[] | undefined => {
  if (statuses.length === 0) return undefined
  const over = facet(environmentId, 'expired')
  const done = structure.findStatus({ body: 'Done' })?.id
  return statuses.map((name) => {
    if (isExpiredName(name)) return one(facetAtom('locale', { all: [over] }))
    const status = structure.findStatus({ body: bodyOfStatus(name) }) ?? structure.findStatus({ id: name })
    if (!status) return one(facetAtom('locale', { any: [] }))
    const found = facetAtom('locale', { all: [facet(environmentId, 'status', status.id)], common: true })
    return status.id === done ? one(found, facetAtom('locale', { none: [over] })) : one(found)
  })
}

/** The label of a publication with a model is the name of it, so such a name stands for the model too. */
const labelsOf = ({ labels }: AskedV5, { environmentId, structure }: Place): Conjunction[] | undefined => {
  if (labels.length === 0) return undefined
  const models = [...structure.models.values()]
  const modelFacets = models.map(({ id }) => facet(environmentId, 'model', id))
  const own = labels
    .filter((label) => label !== 'Publication')
    .flatMap((label) => [
      facet(environmentId, 'label', label),
      ...models.filter(({ body }) => body === label).map(({ id }) => facet(environmentId, 'model', id)),
    ])
  const bare = one(
    facetAtom('publication', { all: [facet(environmentId, 'label', 'Publication')], common: true }),
    facetAtom('publication', { none: modelFacets }),
  )
  return [
    ...(own.length > 0 ? [one(facetAtom('publication', { any: own }))] : []),
    ...(labels.includes('Publication') ? [bare] : []),
  ]
}

const datesOf = ({ published_on: { from, until } }: AskedV5): Atom[] => [
  ...(from ? [localAtom('publish_on', 'gte', from)] : []),
  ...(until ? [localAtom('publish_on', 'lte', until)] : []),
]

const eventOf = ({ event: { from, until } }: AskedV5): Atom[] => {
  if (!from && !until) return []
  const after = from ? sql` and event.ends > ${from.from}` : sql``
  const before = until ? sql` and event.starts < ${until.until}` : sql``
  return [
    {
      of: 'locale',
      local: sql`exists (select 1 from publication_events as event
        where event.environment_id = local.environment_id and event.id = local.id
          and event.locale = local.locale${after}${before})`,
      test: ({ locales }, locale) =>
        spansOf(locales[locale]!.items).some(({ starts, ends }) => overlaps(starts, ends, from, until)),
    },
  ]
}

const overlaps = (starts: Date, ends: Date, from: Moment | undefined, until: Moment | undefined): boolean =>
  (!from || ends > from.from) && (!until || starts < until.until)

const personalOf = ({ did, notification }: AskedV5, { personKey }: Place): Atom[] => {
  if (personKey === undefined) return []
  return [
    ...did.map(([label, wanted]) => didAtom(personKey, label, wanted)),
    ...(notification ? [notifiedAtom(personKey, notification)] : []),
  ]
}

/** Nobody else's lists are touched by it, and nothing of it can be told from a publication. */
const personal = (byId: NonNullable<Atom['byId']>): Atom => ({
  of: 'publication',
  moving: true,
  byId,
  test: () => false,
})

/** A like is a state, which can be taken back; anything else was done once and for all. */
const didAtom = (personKey: string, label: InteractionLabel, wanted: boolean): Atom =>
  personal((id, environmentId) => {
    const where = (name: string): RawBuilder<unknown> =>
      sql`done.environment_id = ${environmentId} and done.person_key = ${personKey}
        and done.publication_id = ${id} and ${sql.ref(`done.${name}`)} = ${label}`
    const found =
      label === 'Like'
        ? sql`exists (select 1 from person_links as done where ${where('kind')})`
        : sql`exists (select 1 from interactions as done where ${where('label')})`
    return wanted ? found : sql`not ${found}`
  })

const notifiedAtom = (personKey: string, state: NotificationState): Atom =>
  personal(
    (id, environmentId) => sql`exists (select 1 from notifications as told
      where told.environment_id = ${environmentId} and told.person_key = ${personKey}
        and told.publication_id = ${id} and told.state = ${state})`,
  )
