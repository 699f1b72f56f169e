import { type Gender, genders } from '../features/persons/table.ts'
import { seededRandom } from './random.ts'

const first = (
  'Amber,Azure,Basil,Brook,Cedar,Clover,Coral,Dune,Ember,Fern,Flint,Hazel,Heather,Indigo,Ivory,Jade,Juniper,Lark,' +
  'Linden,Maple,Marigold,Moss,Ocean,Olive,Opal,Pebble,Reed,Robin,Rowan,Saffron,Sage,Scarlet,Sky,Tansy,Teal,Willow'
).split(',')
const last = (
  'Anchorage,Breakwater,Bulwark,Buoy,Capstan,Drydock,Estuary,Ferryman,Foghorn,Gangway,Halyard,Headwind,Keelson,' +
  'Lanyard,Lighthouse,Lockgate,Mainsail,Moorings,Pontoon,Quayside,Rigging,Seawall,Shoreline,Slipway,Spyglass,' +
  'Starboard,Tidewater,Towline,Undertow,Wharf'
).split(',')

export const personCount = 300
const day = 86_400_000

export type DemoPerson = {
  reference_id: string
  first_name: string
  last_name: string
  created_on: Date
  last_seen: Date | null
  tags: string[]
  gender: Gender | null
  date_of_birth: string | null
  email: string
  phone: string | null
  city: string
  terms: string[]
  tracking: boolean
}

/** Listeners whose names are made of colours and ships, so that nobody takes them for somebody. */
export const people = (tags: readonly string[], until: Date): DemoPerson[] => {
  const random = seededRandom(42)
  const more = seededRandom(43)
  return Array.from({ length: personCount }, (_, number) => {
    const age = 5 + random.below(700)
    const seen = random.next() < 0.8 ? random.below(Math.min(age, 60)) : undefined
    const [first_name, last_name] = [random.pick(first), random.pick(last)]
    return {
      reference_id: `demo-${String(number + 1).padStart(4, '0')}`,
      first_name,
      last_name,
      created_on: new Date(until.getTime() - age * day),
      last_seen: seen === undefined ? null : new Date(until.getTime() - seen * day),
      tags: random.some(tags, random.below(5)),
      gender: more.next() < 0.9 ? more.pick(genders) : null,
      date_of_birth: more.next() < 0.8 ? bornBefore(until, 16 * 365 + more.below(60 * 365)) : null,
      email: `${first_name}.${last_name}.${number + 1}@example.org`.toLowerCase(),
      // A range that no telephone company gives to anybody.
      phone: more.next() < 0.5 ? `+1 202 555 01${String(more.below(100)).padStart(2, '0')}` : null,
      city: more.pick(last),
      terms: more.some(['terms-of-use', 'newsletter'], more.below(3)),
      tracking: more.next() < 0.95,
    }
  })
}

const bornBefore = (until: Date, days: number): string =>
  new Date(until.getTime() - days * day).toISOString().slice(0, 10)

const labels = [
  'View',
  'View',
  'View',
  'View',
  'View',
  'View',
  'Like',
  'Bookmark',
  'Share',
  'Commented',
] as const
export const interactionDays = 60
const perDay = 80

type DemoInteraction = {
  id: string
  created_on: Date
  person: number
  publication: string
  label: string
}

/** More in the morning and the evening, and more of what is new: as listeners do. */
export const interactions = (until: Date): DemoInteraction[] => {
  const random = seededRandom(7)
  return Array.from({ length: interactionDays * perDay }, (_, number) => {
    const daysAgo = number % interactionDays
    const hour = random.next() < 0.5 ? 6 + random.below(4) : 17 + random.below(6)
    const midnight = Math.floor(until.getTime() / day) * day - (daysAgo + 1) * day
    return {
      id: `demo-${String(number + 1).padStart(6, '0')}`,
      created_on: new Date(midnight + hour * 3_600_000 + random.below(3_600_000)),
      person: random.below(personCount),
      publication: `demo-publication-${1 + Math.floor(random.next() ** 2 * 60)}`,
      label: random.pick(labels),
    }
  })
}
