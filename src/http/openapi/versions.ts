import type { Route } from './collect.ts'

/** Records that can be read with `fields` are the ones that carry a version. */
const isRecord = ({ config }: Route): boolean => config.expansions !== undefined && !config.list

/** Files of the service itself, told apart by their content. */
const isFile = ({ path }: Route): boolean => path === '/openapi.json' || path === '/docs'

/** Whether an answer carries an ETag. */
export const givesEtag = (route: Route): boolean => isRecord(route) || isFile(route)

export const takesIfNoneMatch = (route: Route): boolean => route.method === 'GET' && givesEtag(route)

export const takesIfMatch = ({ method, path, config }: Route): boolean =>
  (method === 'PUT' || method === 'DELETE') && path.endsWith('}') && config.access !== 'public'
