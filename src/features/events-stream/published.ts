import type { bodyOf } from '../webhooks/body.ts'

type Body = ReturnType<typeof bodyOf>
type Node = Record<string, unknown>
type Named = Node & { id: string }
/** Which locales of publications are published now; those without any are left out. */
type FindPublished = (ids: string[]) => Promise<ReadonlyMap<string, readonly string[]>>

/** What those are told who may see nothing of it, or nothing any more. */
export const bareBody = (body: Body): Body => ({ ...body, payload: { id: (body.payload as Named).id } })

/**
 * An event about a publication for those who see only what is published: nothing of locales that were not published
 * then or are not now, and no other publication that they could not read. What they have lost is named, not shown.
 */
export const publishedBody = async (
  body: Body,
  localesThen: readonly string[],
  findPublished: FindPublished,
): Promise<Body | undefined> => {
  if (localesThen.length === 0 && body.event !== 'publication.unpublished') return undefined
  if (localesThen.length === 0 || body.event === 'publication.deleted') return bareBody(body)
  const payload = body.payload as Named & { locales: string[] }
  const published = await findPublished([payload.id, ...new Set(targetsIn(payload.items))])
  const locales = localesThen.filter((locale) => published.get(payload.id)?.includes(locale))
  if (locales.length === 0) return bareBody(body)
  const hidden = payload.locales.filter((locale) => !locales.includes(locale))
  const shown = Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [name, withoutKeys(value, hidden)]),
  )
  return {
    ...body,
    payload: { ...shown, locales: locales.sort(), items: keepTargets(shown.items, published) },
  }
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

const keepTargets = (value: unknown, visible: ReadonlyMap<string, unknown>): unknown => {
  if (!isNode(value)) return value
  if (Array.isArray(value)) return value.map((inner) => keepTargets(inner, visible))
  if (leadsToPublications(value))
    return { ...value, items: { ...Object.values(value.items).filter(({ id }) => visible.has(id)) } }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, keepTargets(inner, visible)]))
}
