import type { bodyOf } from '../webhooks/body.ts'

type Body = ReturnType<typeof bodyOf>
type Node = Record<string, unknown>
type FindPublished = (ids: string[]) => Promise<ReadonlySet<string>>

/**
 * An event about a publication for those who see only what is published: nothing of other locales, and no other
 * publication that they could not read. What they have lost is named, not shown.
 */
export const publishedBody = async (
  body: Body,
  locales: readonly string[],
  findPublished: FindPublished,
): Promise<Body | undefined> => {
  const payload = body.payload as Node & { id: string; locales: string[] }
  if (body.event === 'publication.unpublished') return { ...body, payload: { id: payload.id } }
  if (locales.length === 0) return undefined
  if (body.event === 'publication.deleted') return { ...body, payload: { id: payload.id } }
  const hidden = payload.locales.filter((locale) => !locales.includes(locale))
  const shown = Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [name, withoutKeys(value, hidden)]),
  )
  const targets = [...targetsIn(shown.items)]
  const visible = targets.length > 0 ? await findPublished(targets) : new Set<string>()
  const items = targets.length > 0 ? keepTargets(shown.items, visible) : shown.items
  return { ...body, payload: { ...shown, locales: [...locales].sort(), items } }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Whatever is written by locale, by any name that there may ever be. */
const withoutKeys = (value: unknown, keys: string[]): unknown =>
  isNode(value) && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
    : value

/** A field that leads to publications: its items are keyed by index. */
const leadsToPublications = (value: Node): value is Node & { items: Record<string, { id: string }> } =>
  value.label === 'Publication' && isNode(value.items)

function* targetsIn(value: unknown): Generator<string> {
  if (!isNode(value)) return
  if (leadsToPublications(value)) for (const { id } of Object.values(value.items)) yield id
  else for (const inner of Object.values(value)) yield* targetsIn(inner)
}

const keepTargets = (value: unknown, visible: ReadonlySet<string>): unknown => {
  if (!isNode(value)) return value
  if (Array.isArray(value)) return value.map((inner) => keepTargets(inner, visible))
  if (leadsToPublications(value))
    return { ...value, items: { ...Object.values(value.items).filter(({ id }) => visible.has(id)) } }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, keepTargets(inner, visible)]))
}
