import type { Known } from './people.ts'

export const day = 86_400_000
export const now = Date.now()
export const dates = [
  Date.UTC(2024, 1, 29, 12),
  Date.UTC(2025, 5, 1),
  Date.UTC(2025, 5, 1, 23, 59, 59, 999),
  Date.UTC(2025, 5, 2),
]
/** Whoever is just inside an hour, or just outside. */
const edges = [now - 3_600_000 + 120_000, now - 3_600_000 - 120_000]
export const today = new Date().toISOString().slice(0, 10)
const yearsAgo = (years: number, days = 0): string => {
  const date = new Date(Date.parse(today) + days * day)
  date.setUTCFullYear(date.getUTCFullYear() - years)
  return date.toISOString().slice(0, 10)
}
const births = [
  '1996-02-29',
  '2004-02-29',
  yearsAgo(30),
  yearsAgo(30, 1),
  yearsAgo(30, -1),
  yearsAgo(31),
  '1950-12-31',
  null,
]
export const publications = ['news', 'sport', 'music']
export const labels = [
  'View',
  'Like',
  'Share',
  'Bookmark',
  'Commented',
  'Win',
  'Called',
  'Emailed',
  'Purchase',
  'Subscribe',
]
export const fieldLabels: Record<string, string> = {
  viewed: 'View',
  shared: 'Share',
  bookmarked: 'Bookmark',
  commented: 'Commented',
  won: 'Win',
  called: 'Called',
  emailed: 'Emailed',
  purchased: 'Purchase',
}
export const participles: Record<string, string> = {
  View: 'Viewed',
  Like: 'Liked',
  Share: 'Shared',
  Win: 'won',
  Purchase: 'PURCHASED',
  Subscribe: 'Subscribed',
}
export const providers = ['microblog', 'photo_social', 'social_network', 'search', 'stream', 'payment']
export const accountFields = [
  'microblog_accounts',
  'photo_social_accounts',
  'social_network_accounts',
  'search_accounts',
  'stream_accounts',
  'payment_customer',
]

export type Tag = { id: string; slug: string; body: string }

/** The same numbers each time. */
const numbers = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}

/** Persons who differ in everything, the same ones for the same seed. */
export const makingUp = (seed: number) => {
  const next = numbers(seed)
  const one = <T>(list: T[]): T => list[Math.floor(next() * list.length)]!
  const some = <T>(list: T[]): T[] => list.filter(() => next() < 0.35)
  return (id: string, ownTags: string[]): Partial<Known> & { id: string } => ({
    id,
    reference_id: one([null, `ref-${id}`]),
    created_on: one([...dates, ...edges]),
    changed_on: one([null, ...dates]),
    last_seen: one([null, ...dates, ...edges]),
    exclude_until: one([null, ...dates]),
    gender: one(['male', 'female', 'other', null]),
    date_of_birth: one(births),
    password: next() < 0.4,
    tags: some(ownTags),
    terms: some(['terms-1', 'terms-2']),
    accounts: some(providers).map((provider): [string, string] => [provider, one(['7', '8'])]),
    interactions:
      next() < 0.2
        ? []
        : publications.flatMap((publication) =>
            labels.filter(() => next() < 0.12).map((label): [string, string] => [publication, label]),
          ),
    liked: some(publications),
  })
}
