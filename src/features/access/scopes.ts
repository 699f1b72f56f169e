import type { Role, Visibility } from './table.ts'

export const scopes = [
  'content_items',
  'content_items_publish',
  'publications',
  'publications_publish',
  'publications_delete',
  'publications_bulk',
  'publication_models',
  'publication_models_publish',
  'channels',
  'channels_publish',
  'channels_delete',
  'containers_publish',
  'statuses_publish',
  'tags_publish',
  'persons',
  'persons_publish',
  'persons_delete',
  'person_publish',
  'person_delete',
  'persons_me',
  'segments',
  'segments_publish',
  'messages',
  'messages_publish',
  'comments',
  'comments_publish',
  'comments_delete',
  'users',
  'users_publish',
  'configurations',
  'configurations_publish',
  'assets',
  'assets_publish',
  'assets_delete',
  'sources',
  'sources_publish',
  'connect',
  'interactions_publish',
  'recommendations',
  'recommendations_publish',
  'webhooks',
  'webhooks_publish',
  'tokens',
] as const
export type Scope = (typeof scopes)[number]

/** What a person may do with a token of its own, where a route takes one. */
export const personalScopes = [
  'publications',
  'persons_me',
  'recommendations',
  'interactions_publish',
] as const satisfies readonly Scope[]

/** The two generations spell these differently; each is taken for the other. */
const twins: Record<string, string> = {
  person_publish: 'persons_publish',
  persons_publish: 'person_publish',
  person_delete: 'persons_delete',
  persons_delete: 'person_delete',
}

export const holds = (held: ReadonlySet<string>, scope: string): boolean =>
  held.has(scope) || held.has(twins[scope] ?? scope)

const writes = /_(publish|delete|bulk)$|^tokens$|^connect$/

export const defaultVisibility = (chosen: readonly string[]): Visibility =>
  chosen.some((scope) => writes.test(scope)) ? 'all' : 'published'

/** What a back-office user may do, as the scopes of the token that the session is exchanged for. */
export const scopesOf = (role: Role): Scope[] => {
  if (role === 'owner' || role === 'admin') return [...scopes]
  if (role === 'viewer') return scopes.filter((scope) => !writes.test(scope))
  const closed = new Set<Scope>([
    'tokens',
    'users_publish',
    'webhooks_publish',
    'publication_models_publish',
    'statuses_publish',
  ])
  return scopes.filter((scope) => !closed.has(scope))
}
