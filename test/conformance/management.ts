import { crud, done, type Endpoint, section } from './table.ts'

/** The service about itself. */
const service = [
  ...section('service', 'unversioned', [
    ['GET', '/livez', 'public', done],
    ['GET', '/readyz', 'public', done],
    ['GET', '/metrics', 'public', done, 'with its own token, or from the same machine'],
    ['GET', '/openapi.json', 'public', done],
    ['GET', '/docs', 'public', done],
    ['GET', '/studio', 'public', done, 'the management UI'],
    ['GET', '/studio/*', 'public', done],
    ['GET', '/studio/assets/{name}', 'public', done],
  ]),
  ...section('service', 'v5', [['GET', '/openapi.json', 'public', done]]),
]

/** Management is interface too. */
const access = [
  ...section('management', 'unversioned', [
    ...crud('/tokens', ['tokens'], ['tokens'], done),
    ['POST', '/tokens/{id}/renew', ['tokens'], done],
    ...crud('/applications', ['tokens'], ['tokens'], done),
    ['POST', '/applications/{id}/secret', ['tokens'], done],
    ['GET', '/environments', [], done],
    ['POST', '/environments', ['tokens'], done],
    ['GET', '/environments/{id}', [], done],
    ['PUT', '/environments/{id}', ['tokens'], done],
    ...crud('/users', ['users'], ['users', 'users_publish'], done).slice(1),
    ['GET', '/users/me', [], done, 'the user that the token is bound to'],
    ['PUT', '/users/me', [], done],
    ['POST', '/users/me/two_factor', [], done],
    ['PUT', '/users/me/two_factor', [], done],
    ['DELETE', '/users/me/two_factor', [], done],
    ['GET', '/invitations', ['users_publish'], done],
    ['POST', '/invitations', ['users_publish'], done],
    ['GET', '/invitations/{id}', ['users_publish'], done],
    ['DELETE', '/invitations/{id}', ['users_publish'], done],
    ['POST', '/invitations/{id}/accept', 'public', done, 'with the code that was mailed'],
    ['POST', '/sessions', 'public', done, 'with email and password'],
    ['DELETE', '/sessions/{id}', 'public', done, 'with a token or the cookie'],
    ['GET', '/audit_log', ['tokens'], done],
    ['GET', '/jobs', ['tokens'], done],
    ['GET', '/jobs/{id}', ['tokens'], done],
    ['POST', '/jobs/{id}/retry', ['tokens'], done],
    ['GET', '/mailbox', ['tokens'], done],
    ['GET', '/mailbox/{id}', ['tokens'], done],
    ...crud('/email_templates', ['tokens'], ['tokens'], done),
    ...crud('/views', [], [], done),
    ['POST', '/demo', ['tokens'], done, 'fills an empty environment'],
  ]),
  ...section('management', 'v5', [
    ['GET', '/users', ['users'], done],
    ['GET', '/users/{id}', ['users'], done],
  ]),
]

export const management: Endpoint[] = [...service, ...access]
