import { crud, done, type Endpoint, planned, section } from './table.ts'

/** The service about itself. */
const service = [
  ...section('service', 'unversioned', [
    ['GET', '/livez', 'public', done],
    ['GET', '/readyz', 'public', done],
    ['GET', '/metrics', 'public', done, 'with its own token, or from the same machine'],
    ['GET', '/openapi.json', 'public', done],
    ['GET', '/docs', 'public', done],
  ]),
  ...section('service', 'v5', [['GET', '/openapi.json', 'public', done]]),
]

/** Management is interface too. */
const access = section('management', 'unversioned', [
  ...crud('/tokens', ['tokens'], ['tokens'], planned),
  ['POST', '/tokens/{id}/renew', ['tokens'], planned],
  ...crud('/applications', ['tokens'], ['tokens'], planned),
  ...crud('/environments', ['tokens'], ['tokens'], planned),
  ['POST', '/users', ['users', 'users_publish'], planned],
  ['GET', '/users/{id}', ['users'], planned],
  ['PUT', '/users/{id}', ['users', 'users_publish'], planned],
  ['DELETE', '/users/{id}', ['users', 'users_publish'], planned],
  ...crud('/invitations', ['users'], ['users', 'users_publish'], planned),
  ['POST', '/sessions', 'public', planned],
  ['DELETE', '/sessions/{id}', [], planned],
  ['GET', '/audit_log', ['tokens'], planned],
  ['GET', '/jobs', ['tokens'], planned],
  ['GET', '/mailbox', ['tokens'], planned],
  ...crud('/email_templates', ['tokens'], ['tokens'], planned),
  ...crud('/views', [], [], planned),
])

export const management: Endpoint[] = [...service, ...access]
