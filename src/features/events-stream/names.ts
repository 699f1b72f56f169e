import type { FieldError } from '../../errors.ts'
import { emittedName, eventCatalogue } from '../../events.ts'
import { holds, type Scope } from '../access/scopes.ts'

/** What a token needs to hear of a record: the scope that reads it, or none where any token reads it. */
const readScopes: Record<string, Scope | null> = {
  publication: 'publications',
  publication_model: 'publication_models',
  channel: 'channels',
  container: null,
  status: null,
  tag: null,
  configuration: 'configurations',
  asset: 'assets',
  person: 'persons',
  segment: 'segments',
  recommendation: 'recommendations',
  comment: 'comments',
  message: 'messages',
  artist: 'content_items',
  track: 'content_items',
  timeline: 'content_items',
  source: 'sources',
}

const recordOf = (name: string): string => name.split('.', 1)[0]!
const scopeOf = (name: string): Scope | null => readScopes[recordOf(name)]!
export const isOfPublication = (name: string): boolean => recordOf(name) === 'publication'
export const isOfComment = (name: string): boolean => recordOf(name) === 'comment'

/** What streams offer; of a record without an entry above nothing is said to anybody. */
export const offered: readonly string[] = Object.entries(eventCatalogue).flatMap(([name, { internal }]) =>
  internal || !Object.hasOwn(readScopes, recordOf(name)) ? [] : [name],
)
const known = new Set(offered)

/** The names that `events` asks for, by comma or repeated; undefined without it. */
export const readNames = (sent: unknown, problems: FieldError[]): string[] | undefined => {
  if (sent === undefined) return undefined
  const fault = (message: string) => problems.push({ path: 'events', message })
  const list = [sent].flat()
  if (!list.every((item) => typeof item === 'string')) fault('must be names separated by commas')
  const names = list.flatMap((item) => String(item).split(',')).map((name) => name.trim())
  const found = new Set<string>()
  for (const name of new Set(names)) {
    const emitted = emittedName(name)
    if (known.has(emitted)) found.add(emitted)
    else fault(`"${name.slice(0, 100)}" is not an event; known are ${offered.join(', ')}`)
  }
  return [...found]
}

/** The scopes that names need and a token does not hold. */
export const missingScopes = (names: readonly string[], held: ReadonlySet<string>): Scope[] => [
  ...new Set(
    names.flatMap((name) => {
      const scope = scopeOf(name)
      return scope === null || holds(held, scope) ? [] : [scope]
    }),
  ),
]
