import type { Context } from '../context.ts'
import { sendInvitation } from '../features/access/invitations/jobs.ts'
import { cleanUp } from '../features/access/jobs.ts'
import { cleanUpUploads, emptyAssetTrash, removeBytesLater, unlinkAsset } from '../features/assets/jobs.ts'
import { sweepStorage } from '../features/assets/sweep.ts'
import { pruneRecordings } from '../features/audiotool/jobs.ts'
import { mailLink } from '../features/customers/jobs.ts'
import { cleanUpImports } from '../features/imports/jobs.ts'
import { addInteractionPartitions, forgetInteractionIds } from '../features/interactions/jobs.ts'
import { fetchAttachment, sendReply, unlinkChannel } from '../features/messages/jobs.ts'
import { notifySubscribers } from '../features/notifications/jobs.ts'
import { forgetErased, renameInteractions } from '../features/persons/erase/jobs.ts'
import { relearnPersonWords } from '../features/persons/list/learn.ts'
import { cancelCalls } from '../features/publications/bulk/cancel-calls.ts'
import { relearnWords } from '../features/publications/list/jobs.ts'
import { emptyTrash } from '../features/publications/trash/jobs.ts'
import { moveDefaultLocale } from '../features/publications/upkeep/default-locale.ts'
import { reindexModel } from '../features/publications/upkeep/reindex.ts'
import { unlink } from '../features/publications/upkeep/unlink.ts'
import { unlinkPerson } from '../features/publications/upkeep/unlink-reference.ts'
import { pruneVersions } from '../features/publications/versions/jobs.ts'
import { judgeRecommendations, pruneImpressions } from '../features/recommendations/insights/jobs.ts'
import { clearSegment } from '../features/segments/jobs.ts'
import { forgetItems } from '../features/sources/items/jobs.ts'
import { loadDemo } from '../features/studio/demo.ts'
import { pruneDeliveries, tellOwner } from '../features/webhooks/deliver/jobs.ts'
import { runReplay } from '../features/webhooks/deliveries/replay.ts'
import type { DispatchedEvent, NewJob } from './dispatcher.ts'

type Task = (context: Context, payload: never) => Promise<void>

/** Every background task there is. */
export const tasks: Record<string, Task> = {
  'access:clean-up': cleanUp,
  'access:send-invitation': sendInvitation,
  'assets:clean-up': cleanUpUploads,
  'assets:empty-trash': emptyAssetTrash,
  'assets:remove-bytes': removeBytesLater,
  'assets:sweep': sweepStorage,
  'assets:unlink': unlinkAsset,
  'customers:mail-link': mailLink,
  'interactions:add-partitions': addInteractionPartitions,
  'interactions:forget-ids': forgetInteractionIds,
  'messages:fetch-attachment': fetchAttachment,
  'messages:send-reply': sendReply,
  'messages:unlink-channel': unlinkChannel,
  'notifications:notify': notifySubscribers,
  'persons:forget-erased': forgetErased,
  'persons:clean-up-imports': cleanUpImports,
  'persons:learn-words': relearnPersonWords,
  'persons:rename-interactions': renameInteractions,
  'publications:cancel-calls': cancelCalls,
  'publications:empty-trash': emptyTrash,
  'publications:learn-words': relearnWords,
  'publications:move-default-locale': moveDefaultLocale,
  'publications:prune-versions': pruneVersions,
  'publications:reindex-model': reindexModel,
  'publications:unlink': unlink,
  'publications:unlink-person': unlinkPerson,
  'recordings:prune': pruneRecordings,
  'segments:clear': clearSegment,
  'recommendations:judge': judgeRecommendations,
  'recommendations:prune-impressions': pruneImpressions,
  'sources:forget-items': forgetItems,
  'studio:load-demo': loadDemo,
  'webhooks:prune-deliveries': pruneDeliveries,
  'webhooks:replay': runReplay,
  'webhooks:tell-owner': tellOwner,
}

/** Tasks that run by the clock, in UTC. */
export const schedule = [
  '17 * * * * access:clean-up',
  '22 * * * * assets:clean-up',
  '15 3 * * * assets:empty-trash',
  '25 5 * * * assets:sweep',
  '*/5 * * * * interactions:add-partitions',
  '12 * * * * interactions:forget-ids',
  '47 * * * * publications:prune-versions',
  '35 3 * * * publications:empty-trash',
  '5 4 * * * publications:learn-words',
  '20 3 * * * recordings:prune',
  '52 * * * * persons:clean-up-imports',
  '35 4 * * * persons:learn-words',
  '42 * * * * persons:forget-erased',
  '10 * * * * recommendations:judge',
  '55 3 * * * recommendations:prune-impressions',
  '32 * * * * sources:forget-items',
  '25 * * * * webhooks:prune-deliveries',
]

const unlinking =
  (kind: string) =>
  ({ record_id }: DispatchedEvent): NewJob[] => [
    { task: 'publications:unlink', payload: { kind, id: record_id } },
  ]

const unlinkingPerson = ({ record_id }: DispatchedEvent): NewJob[] => [
  { task: 'publications:unlink-person', payload: { id: record_id } },
]

/** Jobs that an event causes. They are added in the transaction that gives the event its number. */
const causes: Record<string, (event: DispatchedEvent) => NewJob[]> = {
  'invitation.created': ({ record_id }) => [{ task: 'access:send-invitation', payload: { id: record_id } }],
  'sign_in_request.created': ({ record_id }) => [{ task: 'customers:mail-link', payload: { id: record_id } }],
  'bulk_operation.changed': ({ record_id }) => [
    { task: 'publications:cancel-calls', payload: { id: record_id }, key: `calls ${record_id}` },
  ],
  'asset.deleted': ({ record_id }) => [{ task: 'assets:unlink', payload: { id: record_id } }],
  'channel.deleted': (event) => [
    ...unlinking('channel')(event),
    { task: 'messages:unlink-channel', payload: { id: event.record_id } },
  ],
  'container.deleted': unlinking('container'),
  'tag.deleted': unlinking('tag'),
  'person.anonymized': unlinkingPerson,
  'person.deleted': unlinkingPerson,
  'publication.published': ({ record_id }) => [{ task: 'notifications:notify', payload: { id: record_id } }],
  'publication_model.changed': ({ environment_id, record_id }) => [
    {
      task: 'publications:reindex-model',
      payload: { id: record_id },
      key: `reindex ${environment_id} ${record_id}`,
    },
  ],
  'segment.deleted': ({ record_id }) => [{ task: 'segments:clear', payload: { id: record_id } }],
  'webhook.switched_off': ({ record_id }) => [{ task: 'webhooks:tell-owner', payload: { id: record_id } }],
  'webhook_replay.created': ({ record_id }) => [{ task: 'webhooks:replay', payload: { id: record_id } }],
  'environment.changed': ({ record_id }) => [
    { task: 'publications:move-default-locale', payload: { id: record_id }, key: `locale ${record_id}` },
  ],
}

/** Each job carries whose it is, so that it shows to nobody else. */
export const jobsFor = (event: DispatchedEvent): NewJob[] => {
  const { organisation_id, environment_id } = event
  const jobs = causes[event.event]?.(event) ?? []
  return jobs.map((job) => ({ ...job, payload: { ...job.payload, organisation_id, environment_id } }))
}
