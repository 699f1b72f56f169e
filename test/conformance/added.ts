import type { Scope } from '../../src/features/access/scopes.ts'
import { crud, done, type Endpoint, section } from './table.ts'

const publications: Scope[] = ['publications', 'publications_publish']
const channels: Scope[] = ['channels', 'channels_publish']
const configurations: Scope[] = ['configurations', 'configurations_publish']
const models: Scope[] = ['publication_models', 'publication_models_publish']
const music: Scope[] = ['content_items', 'content_items_publish']
const persons: Scope[] = ['persons', 'persons_publish']
const recommendations: Scope[] = ['recommendations', 'recommendations_publish']
const segments: Scope[] = ['segments', 'segments_publish']
const sources: Scope[] = ['sources', 'sources_publish']
const webhooks: Scope[] = ['webhooks', 'webhooks_publish']

/** What completes the first resources in both generations. */
const firstResources = [
  ...section('channels', 'unversioned', [
    ['GET', '/channels/{id}', ['channels'], done],
    ['DELETE', '/channels/{id}', ['channels', 'channels_delete'], done],
  ]),
  ...section('channels', 'v5', [
    ['GET', '/channels', ['channels'], done],
    ['POST', '/channels', channels, done],
    ['GET', '/channels/{id}', ['channels'], done],
  ]),
  ...section('containers', 'unversioned', crud('/containers', [], ['containers_publish'], done).slice(1)),
  ...section('containers', 'v5', crud('/containers', [], ['containers_publish'], done)),
  ...section('statuses', 'unversioned', crud('/statuses', [], ['statuses_publish'], done).slice(1)),
  ...section('statuses', 'v5', crud('/statuses', [], ['statuses_publish'], done)),
  ...section('tags', 'unversioned', crud('/tags', [], ['tags_publish'], done)),
  ...section('tags', 'v5', crud('/tags', [], ['tags_publish'], done)),
  ...section('configurations', 'unversioned', [['DELETE', '/configurations/{id}', configurations, done]]),
  ...section('configurations', 'v5', [
    ...crud('/configurations', ['configurations'], configurations, done),
    ['GET', '/configurations/body/{body}', ['configurations'], done],
  ]),
]

const library: Parameters<typeof section>[2] = [
  ['GET', '/assets/{id}/multipart', ['assets', 'assets_publish'], done, 'tells the offset'],
  ['GET', '/assets/{id}/usage', ['assets'], done, 'where it is used'],
  ['GET', '/assets/folders', ['assets'], done],
  ['GET', '/assets/trash', ['assets'], done],
  ['POST', '/assets/{id}/restore', ['assets', 'assets_publish'], done, 'from the trash, for 30 days'],
]

const segmentRows = [
  ['GET', '/segments/{id}', ['segments'], done],
  ['PUT', '/segments/{id}', segments, done],
  ['DELETE', '/segments/{id}', segments, done],
  ['GET', '/segments/{id}/persons', ['persons', 'segments'], done],
  ['GET', '/segments/{id}/persons/{person_id}', ['persons', 'segments'], done, 'why'],
  ['GET', '/segments/{id}/export', ['persons', 'segments'], done],
  ['POST', '/segments/preview', ['persons', 'segments'], done, 'the count'],
] as const

/** What publications, persons and the rest gain beyond the specification. */
const later = [
  ...section('publications', 'unversioned', [
    ['GET', '/publications/{id}/internal_comments', publications, done],
    ['POST', '/publications/{id}/internal_comments', publications, done],
    ['PUT', '/publications/{id}/internal_comments/{comment_id}', publications, done],
    ['DELETE', '/publications/{id}/internal_comments/{comment_id}', publications, done],
    ['POST', '/publications/{id}/publish', publications, done, 'applies the draft as one version'],
    ['DELETE', '/publications/{id}/draft', publications, done],
    ['GET', '/publications/{id}/versions', ['publications'], done],
    ['GET', '/publications/{id}/versions/{version}', ['publications'], done],
    ['GET', '/publications/{id}/versions/{version}/compare', ['publications'], done],
    ['POST', '/publications/{id}/versions/{version}/restore', publications, done],
    ['GET', '/publications/trash', ['publications'], done],
    ['POST', '/publications/{id}/restore', publications, done, 'a deleted one, for 30 days'],
    ['GET', '/bulk_operations', ['publications'], done, 'calls of webhooks; the rest with publications_bulk'],
    ['GET', '/bulk_operations/{id}', ['publications'], done, 'likewise'],
    ['POST', '/bulk_operations/{id}/cancel', ['publications'], done, 'likewise'],
    ['POST', '/bulk_operations/{id}/undo', [...publications, 'publications_bulk'], done],
    ['GET', '/search', [], done, 'finds what the scopes let it find'],
    ['GET', '/events', [], done, 'tells of what the scopes let it read'],
    ...crud('/publication_models', ['publication_models'], models, done).filter(
      ([method, path]) => !(method === 'GET' && path.endsWith('{id}')),
    ),
  ]),
  ...section('publications', 'v5', crud('/publication_models', ['publication_models'], models, done)),
  ...section('publications', 'v5', [['PUT', '/publications/{id}/notification', ['publications'], done]]),
  ...section('persons', 'unversioned', [
    ['POST', '/persons/import', persons, done, 'a file of CSV or NDJSON'],
    ['GET', '/persons/imports', ['persons'], done],
    ['GET', '/persons/imports/{id}', ['persons'], done],
    ['GET', '/persons/imports/{id}/errors', ['persons'], done],
    ['POST', '/persons/imports/{id}/cancel', persons, done],
    ['GET', '/persons/{id}/export', persons, done],
    ['GET', '/erasure_receipts', ['persons'], done],
    ['GET', '/erasure_receipts/{id}', ['persons'], done],
    ['GET', '/persons/{id}/interactions', ['persons'], done],
    ['POST', '/persons/{id}/merge', persons, done],
    ['POST', '/persons/{id}/two_factor', persons, done],
    ['DELETE', '/persons/{id}/two_factor', persons, done],
  ]),
  ...section('customers', 'unversioned', [
    ['GET', '/customers/sign_in/{token}', 'public', done, 'the link that is mailed'],
  ]),
  ...section('persons', 'v5', [['GET', '/persons/{id}/remarks', ['persons', 'person_publish'], done]]),
  ...section('segments', 'unversioned', segmentRows),
  ...section('segments', 'v5', [
    ['GET', '/segments', ['persons'], done],
    ['POST', '/segments', ['segments'], done],
    ...segmentRows,
  ]),
  ...section('recommendations', 'unversioned', [
    ...crud('/recommendations', ['recommendations'], recommendations, done),
    ['GET', '/recommendations/{id}/insights', ['recommendations'], done],
  ]),
  ...section('messages', 'unversioned', [['GET', '/messages/{id}', ['messages'], done]]),
  ...section('messages', 'v5', [
    ['PUT', '/messages/{id}', ['messages', 'messages_publish'], done],
    ['DELETE', '/messages/{id}', ['messages', 'messages_publish'], done],
    ['GET', '/messages/{id}/replies', ['messages'], done],
  ]),
  ...section('comments', 'v5', [
    ['GET', '/publications/{id}/comments', ['comments'], done],
    ['GET', '/comments/{id}/replies', ['comments'], done],
    ['POST', '/comments/{id}/approve', ['comments', 'comments_publish'], done],
    ['POST', '/comments/{id}/hide', ['comments', 'comments_publish'], done],
  ]),
  ...section('assets', 'unversioned', [
    ['GET', '/media/{id}/{transform}/{name}', 'public', done, 'listed widths, or signed'],
    ['GET', '/media/{id}/{name}', 'public', done, 'a file made of it'],
    ['GET', '/assets/{id}/address', ['assets'], done, 'signs one'],
    ['GET', '/assets', ['assets'], done],
    ['GET', '/assets/{id}', ['assets'], done],
    ['PUT', '/assets/{id}', ['assets', 'assets_publish'], done],
    ['DELETE', '/assets/{id}', ['assets', 'assets_delete'], done],
    ...library,
    ['POST', '/assets/audiotool/cut', ['assets', 'assets_publish'], done],
  ]),
  ...section('assets', 'v5', [['GET', '/assets/{id}/address', ['assets'], done], ...library]),
  ...section('webhooks', 'unversioned', [
    ...crud('/webhooks', ['webhooks'], webhooks, done),
    ['POST', '/webhooks/{id}/rotate_secret', webhooks, done, 'the old one is valid for 24 h more'],
    ['GET', '/webhooks/{id}/deliveries', ['webhooks'], done],
    ['GET', '/webhooks/{id}/deliveries/{delivery_id}', ['webhooks'], done],
    ['POST', '/webhooks/{id}/deliveries/{delivery_id}/redeliver', webhooks, done],
    ['POST', '/webhooks/{id}/replay', webhooks, done, 'a range of time'],
    ['POST', '/webhooks/{id}/test', webhooks, done, 'answers with the outcome'],
  ]),
  ...section('sources', 'v5', [
    ['POST', '/sources', sources, done, 'of every type'],
    ['GET', '/sources/{id}', ['sources'], done],
    ['PUT', '/sources/{id}', sources, done],
    ['DELETE', '/sources/{id}', sources, done],
    ['POST', '/sources/{id}/fetch', sources, done, 'polls it at once'],
    [
      'POST',
      '/sources/items/{id}/publication',
      ['sources', 'publications', 'publications_publish', 'assets', 'assets_publish'],
      done,
      'a draft with its picture',
    ],
  ]),
  ...section(
    'music',
    'v5',
    ['/artists', '/tracks', '/timelines'].flatMap((path) => [
      ['POST', path, music, done] as const,
      ['PUT', `${path}/{id}`, music, done] as const,
      ['DELETE', `${path}/{id}`, music, done] as const,
      ['POST', `${path}/bulk/import`, music, done, 'a file of CSV or NDJSON'] as const,
      ['GET', `${path}/imports`, ['content_items'], done] as const,
      ['GET', `${path}/imports/{id}`, ['content_items'], done] as const,
      ['GET', `${path}/imports/{id}/errors`, ['content_items'], done] as const,
      ['POST', `${path}/imports/{id}/cancel`, music, done] as const,
    ]),
  ),
  ...section(
    'music',
    'v5',
    ['/artists', '/tracks'].flatMap((path) => [
      ['GET', `${path}/duplicates`, music, done] as const,
      ['POST', `${path}/{id}/merge`, music, done] as const,
      ['POST', `${path}/bulk/merge`, music, done, 'all that share an isrc or a reference'] as const,
    ]),
  ),
  ...section('music', 'v5', [
    ['GET', '/timelines/{id}', ['content_items'], done],
    ['GET', '/timelines/now', ['content_items'], done, 'what is on air, and what follows'],
    ['GET', '/timelines/moments', ['content_items', 'publications'], done, 'what listeners did meanwhile'],
  ]),
]

export const added: Endpoint[] = [...firstResources, ...later]
