import type { Conjunction } from '../publications/list/atoms.ts'
import type { Snapshot } from '../publications/snapshot.ts'
import type { CompiledWebhook } from './compile.ts'

type Bucket = {
  /** Those without a filter. */
  always: CompiledWebhook[]
  /** Those whose filter demands no facet. */
  unbound: CompiledWebhook[]
  /** Each of the others under a facet that a publication must have. */
  byFacet: Map<string, CompiledWebhook[]>
}

/** The webhooks of an environment by what they want. */
export type WebhookIndex = {
  /** Whether the publication must be known to say who wants an event of this name. */
  asksForMatch(event: string): boolean
  /** Who wants an event; those with a filter only where a publication is given that it matches. */
  wanting(event: string, snapshot: Snapshot | null): CompiledWebhook[]
}

/**
 * Of what a filter demands, the facet that fewest filters demand leads to it. Of 10,000 filters a publication is held
 * against those alone that share such a facet with it.
 */
export const indexWebhooks = (all: CompiledWebhook[]): WebhookIndex => {
  const demands = new Map(all.map((one) => [one, demandsOf(one.conjunction)]))
  const asked = new Map<string, number>()
  for (const facet of [...demands.values()].flat(2)) asked.set(facet, (asked.get(facet) ?? 0) + 1)
  const buckets = new Map<string, Bucket>()
  for (const [one, choices] of demands)
    for (const event of one.names.keys()) {
      if (!buckets.has(event)) buckets.set(event, { always: [], unbound: [], byFacet: new Map() })
      put(buckets.get(event)!, one, rarest(choices, asked))
    }
  return {
    asksForMatch: (event) => {
      const bucket = buckets.get(event)
      return bucket !== undefined && bucket.unbound.length + bucket.byFacet.size > 0
    },
    wanting: (event, snapshot) => {
      const bucket = buckets.get(event)
      if (!bucket) return []
      return snapshot ? [...bucket.always, ...matching(bucket, snapshot)] : bucket.always
    },
  }
}

/** Lists of facets of each of which a publication must have one. */
const demandsOf = ({ atoms, alternatives }: Conjunction = { atoms: [], alternatives: [] }): string[][] => [
  ...atoms.flatMap(({ facets }) => {
    if (!facets || 'none' in facets) return []
    return 'all' in facets ? facets.all.map((one) => [one]) : [facets.any]
  }),
  ...alternatives.flatMap((list) => {
    const each = list.map((one) => demandsOf(one).toSorted((a, b) => a.length - b.length)[0])
    return each.every((demand) => demand !== undefined) ? [each.flat()] : []
  }),
]

const rarest = (choices: string[][], asked: Map<string, number>): string[] | undefined => {
  const crowd = (choice: string[]) => choice.reduce((sum, facet) => sum + asked.get(facet)!, 0)
  return choices.toSorted((a, b) => crowd(a) - crowd(b))[0]
}

const put = (bucket: Bucket, one: CompiledWebhook, choice: string[] | undefined): void => {
  if (!one.conjunction) bucket.always.push(one)
  else if (!choice) bucket.unbound.push(one)
  for (const facet of new Set(choice)) {
    if (!bucket.byFacet.has(facet)) bucket.byFacet.set(facet, [])
    bucket.byFacet.get(facet)!.push(one)
  }
}

const matching = ({ unbound, byFacet }: Bucket, snapshot: Snapshot): Set<CompiledWebhook> => {
  const found = new Set<CompiledWebhook>()
  const test = (candidates: CompiledWebhook[]): void => {
    for (const one of candidates) if (one.matches(snapshot)) found.add(one)
  }
  test(unbound)
  for (const facet of snapshot.facets) test(byFacet.get(facet) ?? [])
  return found
}
