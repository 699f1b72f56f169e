import { type FacetKind, facet } from '../publications/facets.ts'
import type { Conjunction } from '../publications/list/atoms.ts'
import type { CompiledWebhook } from './compile.ts'

/** What filters may name by slug or body instead of by id. */
const named: Record<string, FacetKind> = { tag: 'tag', channel: 'channel', container: 'container' }

/** Something that a name may stand for, as an event tells it. */
export type Named = { environment_id: string; event: string; record_id: string; names: string[] }

/** Which webhooks mean something by its name. */
export type Names = { meaning(record: Named): Iterable<string> }

/** Webhooks by the names that they use, and by what those stood for when they were compiled. */
export const indexNames = (all: Iterable<CompiledWebhook>): Names => {
  const found = new Map<string, Set<string>>()
  for (const { webhook, conjunction } of all) {
    const names = namesIn(webhook.filter)
    if (names.length === 0) continue
    for (const key of [...names, ...facetsIn(conjunction)])
      found.set(key, (found.get(key) ?? new Set()).add(webhook.id))
  }
  return {
    *meaning({ environment_id, event, record_id, names }) {
      const kind = named[event.split('.', 1)[0]!]!
      const keys = [facet(environment_id, kind, record_id), ...names.map((name) => name.toLowerCase())]
      for (const key of keys) yield* found.get(key) ?? []
    },
  }
}

/** Whatever stands beside a `param`; one that is none costs a compilation, now and then. */
export const namesIn = (filter: unknown): string[] => {
  if (typeof filter !== 'object' || filter === null) return []
  const inner = Object.values(filter).flatMap(namesIn)
  return 'param' in filter ? [...inner, ...textsIn(filter)] : inner
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return value.split(',').map((text) => text.trim().toLowerCase())
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const facetsIn = (conjunction: Conjunction | undefined): string[] => {
  if (!conjunction) return []
  const own = conjunction.atoms.flatMap(({ facets }) => (facets ? Object.values(facets).flat() : []))
  return [...own, ...conjunction.alternatives.flat().flatMap(facetsIn)] as string[]
}
