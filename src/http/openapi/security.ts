import { type Scope, scopes } from '../../features/access/scopes.ts'
import type { Route, Schema } from './collect.ts'

/** What cannot be told from the name. */
const told: Partial<Record<Scope, string>> = {
  content_items: 'Read artists, tracks and timelines',
  content_items_publish: 'Create and change artists, tracks and timelines; the token must be bound to a user',
  publications_bulk: 'Change or delete many publications at once, together with the scope for one',
  persons_me: 'Act as the person that the token belongs to',
  segments: 'Create segments of persons',
  connect: 'Follow external sources',
  recommendations: 'Read recommended publications',
  interactions_publish: 'Record interactions of persons with publications',
  tokens: 'Manage tokens, applications, environments and jobs; read the audit log and the mailbox',
}

const describe = (scope: Scope): string => {
  const [, noun = scope, write] = /^(.+)_(publish|delete)$/.exec(scope) ?? []
  const things = noun.replaceAll('_', ' ').replace(/^person$/, 'persons')
  const verb = write === 'publish' ? 'Create and change' : write === 'delete' ? 'Delete' : 'Read'
  return told[scope] ?? `${verb} ${things}`
}

export const securitySchemes = (publicUrl: string): Record<string, Schema> => ({
  oauth2: {
    type: 'oauth2',
    description: 'An application gets access tokens with its id and secret.',
    flows: {
      clientCredentials: {
        tokenUrl: `${publicUrl}/oauth/access_token`,
        scopes: Object.fromEntries(scopes.map((scope) => [scope, describe(scope)])),
      },
    },
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token in the header `Authorization: Bearer <token>`. This is the preferred way.',
  },
  access_token: {
    type: 'apiKey',
    in: 'query',
    name: 'access_token',
    description: 'The same token in the query, for callers that cannot set a header.',
  },
})

/** Any one of them is enough; scopes belong to a token however it is sent. */
export const securityOf = ({ config }: Route): { security: Schema[]; 'x-scopes'?: readonly Scope[] } => {
  if (config.access === 'public') return { security: [] }
  const needed = config.scopes ?? []
  return { security: [{ oauth2: needed }, { bearer: [] }, { access_token: [] }], 'x-scopes': needed }
}
