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

type DemoPerson = {
  reference_id: string
  first_name: string
  last_name: string
  created_on: Date
  last_seen: Date | null
  tags: string[]
}

/** Listeners whose names are made of colours and ships, so that nobody takes them for somebody. */
export const people = (tags: readonly string[], until: Date): DemoPerson[] => {
  const random = seededRandom(42)
  return Array.from({ length: personCount }, (_, number) => {
    const age = 5 + random.below(700)
    const seen = random.next() < 0.8 ? random.below(Math.min(age, 60)) : undefined
    return {
      reference_id: `demo-${String(number + 1).padStart(4, '0')}`,
      first_name: random.pick(first),
      last_name: random.pick(last),
      created_on: new Date(until.getTime() - age * day),
      last_seen: seen === undefined ? null : new Date(until.getTime() - seen * day),
      tags: random.some(tags, random.below(5)),
    }
  })
}

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

export const assets = ['Photo', 'Photo', 'Photo', 'Audio', 'Video', 'Cover'].flatMap((label, kind) =>
  Array.from({ length: 6 }, (_, number) => ({
    label: label as 'Photo' | 'Audio' | 'Video' | 'Cover',
    name: `${label.toLowerCase()}-${kind + 1}-${number + 1}`,
    body: `${label} ${number + 1} of series ${kind + 1}`,
    author: 'Harbour FM',
    reference_id: `demo-asset-${kind + 1}-${number + 1}`,
  })),
)
